// How large policies let groups become: more than a group of a network has, and what Halide compiles in a
// second.
#pragma once

#include <cstddef>
#include <vector>

#include "fusion/operator_graph.h"

namespace emulsion {

inline constexpr size_t kMostMembers = 16;
inline constexpr size_t kMostInputs = 16;

// How many tensors a group of `members` reads and does not make itself.
size_t group_inputs(const OperatorGraph &graph, const std::vector<int> &members);

}  // namespace emulsion
