// A policy decides which operators form a group. Everything else (implementations, layouts,
// placements, loop nests) is decided for its groups in the same way for all policies.
//
// A policy is one file in fusion/policies/ that defines
//
//     const Policy &fusion_policy_<filename>();
//
// found when CMake configures.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "fusion/group_cost.h"
#include "fusion/operator_graph.h"
#include "fusion/plan.h"
#include "fusion/search/duplication.h"
#include "fusion/search/search.h"

namespace emulsion {

// What a policy decides on.
struct PolicyInput {
    const OperatorGraph &graph;
    const GroupCost &cost;
    // By operator: needs no kernel where it is a group by itself.
    const std::vector<bool> &free_operators;
    SearchOptions search;
};

// Groups (operator indices, ascending, the last one being the root) in the order of their roots, and why
// neighbours were kept apart. Duplicated operators are members of several groups.
struct Partition {
    std::vector<std::vector<int>> groups;
    std::vector<Refusal> refusals;
    SearchReport report;  // of a policy that searches
    std::vector<Duplication> duplications = {};
};

struct Policy {
    std::string name;
    std::string description;  // one line
    std::function<Partition(const PolicyInput &)> partition;
    // Operands of a concatenation are written into its result, where possible, instead of being
    // copied there, and what only moves axes is read or written where the other side lies. (A policy that
    // fuses Concat with all its producers, and Transpose with its neighbours.)
    bool absorbs_copies = false;
};

// All policies, by file name (generated).
std::span<const Policy *const> all_policies();
// Throws Error, listing the known ones, for an unknown name.
const Policy &find_policy(const std::string &name);

}  // namespace emulsion
