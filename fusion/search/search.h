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
#include "fusion/search/report.h"

namespace emulsion {

struct SearchOptions {
    int64_t budget = 2'000'000;  // groups that are looked at; at least 1
    // Prunings. None of them loses the cheapest plan under a cost that is as they assume.
    bool bound = true;  // by GroupCost::least_cycles: groups whose rest costs too much already
    bool attach =
        true;  // element-wise operators stay with the one operator that they follow, if they can
    // Of duplication.h, after the search: how many times it prices copies. 0: every operator is computed
    // once. Networks take tens.
    int64_t duplication_tries = 1000;
};

struct SearchResult {
    std::vector<std::vector<int>> groups;  // in the order of their roots
    SearchReport report;
};

// Operators of `alone` are groups by themselves. Throws Error for a budget below 1.
SearchResult search_groups(const OperatorGraph &graph, const GroupCost &cost,
                           const std::vector<bool> &alone, const SearchOptions &options = {});

}  // namespace emulsion
