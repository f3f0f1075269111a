// The order of the axes of every value of a graph: which one lies innermost.
#pragma once

#include <vector>

#include "fusion/move_way.h"
#include "fusion/operator_graph.h"

namespace emulsion {

// The layout that a caller of the pipeline sees: the natural order, no halo.
Layout caller_layout(const Value &value);

// Whether MoveWays but Converted are about `op`: all that it does is to move axes, or to merge and split some and keep others.
bool only_moves(const OperatorGraph &graph, const PlannerOperator &op);

// Whether MoveWay::Converted is about `op`: its result is the caller's, and no operator reads it.
bool makes_callers_result(const OperatorGraph &graph, const PlannerOperator &op,
                          const std::vector<std::vector<int>> &consumers);

// For each value the order of axes that its producer and consumers like best: the axis along which
// the producer writes vectors (else: consumers read them, else: as the first operand has it)
// innermost. Outputs that nobody reads again, unless they are Converted, and constants lie as the caller has them: what an
// operator wants of a constant is its own affair (Operand::constant_layout).
std::vector<Layout> preferred_orders(const OperatorGraph &graph, const MoveWays &ways = {});

}  // namespace emulsion
