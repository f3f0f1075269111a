// Whether every operator of a graph is one that can be planned and compiled.
#pragma once

#include "frontend/graph/graph.h"
#include "frontend/graph/support_report.h"
#include "frontend/ops/operator.h"

namespace emulsion {

// Throws Error for more operators than can be planned.
void require_few_operators(const Graph &graph);

// The operator of the node that `context` is about. Throws Error, with its place, where the operator is
// unknown, its check refuses, or it has no implementation (`exact`: no exact one).
const Operator &supported_operator(const OperatorContext &context, bool exact);

// Adds to `report` the nodes of `graph`, which has been through the passes, that supported_operator
// refuses or whose Funcs can't be made; that there are too many, in which case no Funcs are tried; and inputs and outputs that no buffer can hold.
void check_operators(const Graph &graph, bool exact, SupportReport &report);

}  // namespace emulsion
