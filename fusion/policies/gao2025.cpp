// The partition of least cost, by dynamic programming (fusion/search/search.h). The other policies'
// partitions are looked at as well: its budget may end early, and a cost is not always as its pruning
// "attach" assumes; where one of them is cheaper, the search is made again without. It is never worse than
// one of them under the cost model that it was given. Then what makes it cheaper still is duplicated
// (fusion/search/duplication.h).
#include <algorithm>

#include "fusion/policies/support/refusals.h"
#include "fusion/policy.h"

namespace emulsion {

namespace {

constexpr double kRounding = 1e-12;  // of sums in another order

double cycles_of(const PolicyInput &input, const std::vector<std::vector<int>> &groups) {
    double cycles = 0.0;
    for (const std::vector<int> &group : groups) {
        const GroupPrice price = input.cost.price(group);
        cycles += price.refused.empty() ? price.cycles : 1e300;
    }
    return cycles;
}

// Operators that need no kernel by themselves stay alone here: a branch of a Concat writes its slice.
bool joins_free_operator(const PolicyInput &input, const std::vector<std::vector<int>> &groups) {
    return std::any_of(groups.begin(), groups.end(), [&](const std::vector<int> &group) {
        return group.size() > 1 && std::any_of(group.begin(), group.end(), [&](int op) {
                   return is_marked(input.free_operators, op);
               });
    });
}

// Whether one of the other policies' partitions was cheaper: then `found` has it.
bool take_cheaper_rival(const PolicyInput &input, SearchResult &found) {
    bool any = false;
    for (const Policy *rival : all_policies()) {
        if (rival->name == "gao2025") {
            continue;
        }
        Partition other = rival->partition(input);
        if (joins_free_operator(input, other.groups)) {
            continue;
        }
        if (const double cycles = cycles_of(input, other.groups);
            cycles < found.report.cycles * (1.0 - kRounding)) {
            found.report.proven_optimal = false;
            found.groups = std::move(other.groups);
            found.report.cycles = cycles;
            any = true;
        }
    }
    return any;
}

Partition search(const PolicyInput &input) {
    SearchResult found = search_groups(input.graph, input.cost, input.free_operators, input.search);
    if (take_cheaper_rival(input, found) && input.search.attach) {
        // What that pruning assumes of the cost does not hold here.
        SearchOptions exact = input.search;
        exact.attach = false;
        found = search_groups(input.graph, input.cost, input.free_operators, exact);
        take_cheaper_rival(input, found);
    }
    std::vector<Duplication> duplications = duplicate(input.graph, input.cost, input.free_operators,
                                                      input.search.duplication_tries, found);
    std::vector<Refusal> refusals = refusals_of(input, found.groups);
    return {std::move(found.groups), std::move(refusals), found.report, std::move(duplications)};
}

}  // namespace

const Policy &fusion_policy_gao2025() {
    static const Policy policy{
        .name = "gao2025",
        .description =
            "the groups of least cost, by dynamic programming, cheap values computed where they are "
            "read; no copies for Concat and Transpose",
        .partition = search,
        .absorbs_copies = true};
    return policy;
}

}  // namespace emulsion
