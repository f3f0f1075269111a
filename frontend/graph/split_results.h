// One node, one result: what planning, lowering and operators count on.
#pragma once

#include "frontend/graph/graph.h"

namespace emulsion {

// Gives every result that is used a node of its own, and drops nodes none of whose results are:
//
//     a, b = Split(x)   ->   a, - = Split(x)    -, b = Split(x)
//
// Not a pass that can be switched off: Graph::verify asks for it.
void split_results(Graph &graph);

}  // namespace emulsion
