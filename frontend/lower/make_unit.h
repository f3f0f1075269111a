// Cuts the compilation units out of a planned network.
#pragma once

#include <vector>

#include "frontend/lower/unit.h"

namespace emulsion {

// The unit of a compute group: its nodes under canonical names. `nodes`: indices into graph.nodes,
// one per member of the group.
Unit make_compute_unit(const Graph &graph, const std::vector<int> &nodes, const Plan &plan,
                       const PlannedGroup &group, const std::vector<TensorId> &value_tensor);

// The unit of a conversion: `tensor`, which it reads and writes, is copied from one layout into another.
Unit make_convert_unit(const Tensor &tensor, const Plan &plan, const PlannedGroup &group);

}  // namespace emulsion
