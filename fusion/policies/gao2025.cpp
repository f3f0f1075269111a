// The partition of least cost, by dynamic programming (fusion/search/search.h). Where its budget ends
// before that is proven, the other policies' partitions are looked at as well: it is never worse than one
// of them under the cost model that it was given.
#include "fusion/policies/support/refusals.h"
#include "fusion/policy.h"

namespace emulsion {

namespace {

double cycles_of(const PolicyInput &input, const std::vector<std::vector<int>> &groups) {
    double cycles = 0.0;
    for (const std::vector<int> &group : groups) {
        const GroupPrice price = input.cost.price(group);
        cycles += price.refused.empty() ? price.cycles : 1e300;
    }
    return cycles;
}

Partition search(const PolicyInput &input) {
    SearchResult found = search_groups(input.graph, input.cost, input.free_operators, input.search);
    Partition partition{std::move(found.groups), {}, found.report};
    for (const Policy *rival : all_policies()) {
        if (partition.report.proven_optimal || rival->name == "gao2025") {
            continue;
        }
        Partition other = rival->partition(input);
        if (const double cycles = cycles_of(input, other.groups);
            cycles < partition.report.cycles) {
            partition.groups = std::move(other.groups);
            partition.report.cycles = cycles;
        }
    }
    partition.refusals = refusals_of(input, partition.groups);
    return partition;
}

}  // namespace

const Policy &fusion_policy_gao2025() {
    static const Policy policy{
        .name = "gao2025",
        .description = "the groups of least cost, by dynamic programming; no copies for Concat",
        .partition = search,
        .absorbs_concatenations = true};
    return policy;
}

}  // namespace emulsion
