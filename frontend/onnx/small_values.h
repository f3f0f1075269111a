// Arithmetic on shapes, done while loading: exporters compute the shapes of tensors with nodes
// (Shape, Gather, Mul, Concat, ...), and a model has shapes only when these have values.
#pragma once

#include <optional>

#include "frontend/graph/graph.h"
#include "frontend/lower/evaluate.h"

namespace emulsion {

// The value of the one result of `node` if it has no elements, or is small and depends on nothing but
// constants and shapes, all of which are known; nothing if it is not, if Emulsion does not have the
// operator, or if the budget of `evaluator` does not allow it. Throws Error for a node that the
// operator refuses.
std::optional<ConstantData> small_value(Evaluator &evaluator, const Graph &graph, const Node &node);

// Operands that are constants without elements, as exporters write them, made absent: those of Concat
// add nothing, and for Resize they stand for an operand that is not given.
void drop_empty_operands(const Graph &graph, Node &node);

}  // namespace emulsion
