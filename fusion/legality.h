// What may be a group at all, whatever it costs: what Halide can schedule. A group has one
// materialised result, its root, which is its last member; every other member is read only inside
// the group; members are connected, and no path leaves the group and comes back. Its loop nests agree on the
// layouts of constants. It is no larger than a group of a network is, and than what Halide compiles in a
// second.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "fusion/operator_graph.h"

namespace emulsion {

inline constexpr size_t kMostMembers = 16;
inline constexpr size_t kMostInputs = 16;

// How many tensors a group of `members` reads and does not make itself.
size_t group_inputs(const OperatorGraph &graph, const std::vector<int> &members);

// By operator: whether it is a member of several groups, which compute copies of it. Readers outside of a
// group with a copy have another copy, or one of the groups stores it for them.
std::vector<bool> duplicated_operators(const OperatorGraph &graph,
                                       const std::vector<std::vector<int>> &groups);

// Why `group` (operator indices, ascending) is not legal; empty if it is. `consumers` is
// graph.consumers(), `duplicated` is by operator, or empty where none is.
std::string illegal_because(const OperatorGraph &graph,
                            const std::vector<std::vector<int>> &consumers,
                            const std::vector<int> &group,
                            const std::vector<bool> &duplicated = {});

}  // namespace emulsion
