// The cheapest partition of a graph into groups, by dynamic programming over its post-dominator tree.
//
// A group has one stored result, its root; what else it computes is read inside of it only. So every
// operator whose result is stored roots a group, every other one belongs to the group of its readers, and
// a group is a subtree of the post-dominator tree (post_dominators.h) that has, with a member, all readers
// of that member. Once operator u is a root, what it post-dominates is read by nobody else, and can be
// planned without looking at the rest:
//
//     T(u) = min over legal groups G with root u of  cost(G) + sum of T(x), x not in G, parent(x) in G
//
// with one state per operator, where a search over down-closed sets of operators would have one per set.
// It holds for any cost that is a sum over groups.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fusion/group_cost.h"
#include "fusion/operator_graph.h"

namespace emulsion {

struct SearchOptions {
    int64_t budget = 2'000'000;  // groups that are looked at; at least 1
    // Prunings. None of them loses the cheapest plan under a cost that is as they assume.
    bool bound = true;  // by GroupCost::least_cycles: groups whose rest costs too much already
    bool attach =
        true;  // element-wise operators stay with the one operator that they follow, if they can
};

struct SearchReport {
    int64_t states = 0;           // operators whose best group was looked for
    int64_t groups = 0;           // groups looked at
    int64_t refused = 0;          // of these, not legal or not computable
    int64_t bounded = 0;          // times that the bound ended a line of groups
    int64_t attached = 0;         // operators that were not tried as roots' neighbours
    bool proven_optimal = false;  // the budget was enough
    double cycles = 0.0;          // of the plan
};

struct SearchResult {
    std::vector<std::vector<int>> groups;  // in the order of their roots
    SearchReport report;
};

// Operators of `alone` are groups by themselves. Throws Error for a budget below 1.
SearchResult search_groups(const OperatorGraph &graph, const GroupCost &cost,
                           const std::vector<bool> &alone, const SearchOptions &options = {});

}  // namespace emulsion
