// The ends of a graph that some nodes of the model are missing from.
#pragma once

#include <set>

#include "frontend/graph/graph.h"

namespace emulsion {

// Makes those of `read`, which nodes that are missing read, outputs of `graph`: graph passes would drop
// what leads to them. Inputs and constants need no such.
void hand_out_loose_ends(Graph &graph, const std::set<TensorId> &read);

}  // namespace emulsion
