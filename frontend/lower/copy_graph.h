// Copying a tensor as a graph of its own: what a conversion from one layout to another computes.
#pragma once

#include "frontend/graph/graph.h"

namespace emulsion {

// One node, "Identity", whose input and result are as `tensor` is.
Graph copy_graph(const Tensor &tensor);

}  // namespace emulsion
