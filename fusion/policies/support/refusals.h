// Why the groups of a partition were not joined.
#pragma once

#include <vector>

#include "fusion/policy.h"

namespace emulsion {

// For every pair of operators of different groups of which one reads the other's result: what is in the
// way of joining their groups, or what joining them would cost.
std::vector<Refusal> refusals_of(const PolicyInput &input,
                                 const std::vector<std::vector<int>> &groups);

// The partition into `groups`, which are given in any order, with its refusals.
Partition partition_into(const PolicyInput &input, std::vector<std::vector<int>> groups);

}  // namespace emulsion
