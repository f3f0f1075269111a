// Runs operators at compile time, through Halide's JIT: the same implementations as in the compiled
// network, so that folding needs no second definition of any operator.
#pragma once

#include <vector>

#include "frontend/graph/graph.h"

namespace emulsion {

// Whether `evaluate` can do `node`: every operand whose elements matter is a constant.
bool is_constant_node(const Graph &graph, const Node &node);

// The outputs of such a node. Throws Error like compiling would.
std::vector<ConstantData> evaluate(const Graph &graph, const Node &node);

}  // namespace emulsion
