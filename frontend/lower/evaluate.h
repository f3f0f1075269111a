// Runs operators at compile time, through Halide's JIT: the same implementations as in the compiled
// network, so that folding needs no second definition of any operator.
#pragma once

#include <vector>

#include "frontend/graph/graph.h"

namespace emulsion {

// The outputs of `node`, all of whose operands are constants. Throws Error like compiling would.
std::vector<ConstantData> evaluate(const Graph &graph, const Node &node);

}  // namespace emulsion
