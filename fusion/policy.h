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

#include "fusion/machine.h"
#include "fusion/operator_graph.h"
#include "fusion/plan.h"

namespace emulsion {

// Operators (indices, ascending) that are computed together; the last one is the root.
struct ChosenGroup {
    std::vector<int> members;
    // Members, ascending and without the root, whose results are computed panel by panel of the root's
    // rows, each by a loop nest of its own. The others are computed where they are read.
    std::vector<int> panels;
    bool operator==(const ChosenGroup &) const = default;
};

// Groups in the order of their roots, and why neighbours were kept apart.
struct Partition {
    std::vector<ChosenGroup> groups;
    std::vector<Refusal> refusals;
};

struct Policy {
    std::string name;
    std::string description;  // one line
    std::function<Partition(const OperatorGraph &, const Machine &)> partition;
    // Operands of a concatenation are written into its result, where possible, instead of being
    // copied there. (A policy that fuses Concat with all its producers.)
    bool absorbs_concatenations = false;
};

// All policies, by file name (generated).
std::span<const Policy *const> all_policies();
// Throws Error, listing the known ones, for an unknown name.
const Policy &find_policy(const std::string &name);

}  // namespace emulsion
