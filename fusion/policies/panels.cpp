// The groups of gao2025, and chains of them in one: a depthwise convolution at a few rows of the pointwise
// one that reads it, a convolution at the rows of a pool. Joined where a small model of one core says that
// this is faster (support/join_stages.h).
#include "fusion/policies/support/join_stages.h"
#include "fusion/policy.h"

namespace emulsion {

const Policy &fusion_policy_panels() {
    static const Policy policy{
        .name = "panels",
        .description = "as gao2025, and heavy operators at rows of the one that reads them",
        .partition =
            [](const OperatorGraph &graph, const Machine &machine) {
                return join_stages(graph, machine,
                                   find_policy("gao2025").partition(graph, machine));
            },
        .absorbs_concatenations = true};
    return policy;
}

}  // namespace emulsion
