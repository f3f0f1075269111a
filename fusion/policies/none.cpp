// No fusion at all: every operator is a group. The lower end of every comparison.
#include "fusion/policy.h"

namespace emulsion {

namespace {

Partition each_alone(const PolicyInput &input) {
    const OperatorGraph &graph = input.graph;
    Partition partition;
    const std::vector<int> producers = graph.producers();
    for (size_t op = 0; op < graph.operators.size(); op++) {
        partition.groups.push_back({static_cast<int>(op)});
        for (const Operand &operand : graph.operators[op].implementation.operands) {
            const int producer = producers[static_cast<size_t>(operand.value)];
            if (producer >= 0) {
                partition.refusals.push_back({graph.operators[static_cast<size_t>(producer)].name,
                                              graph.operators[op].name,
                                              "policy none fuses nothing"});
            }
        }
    }
    return partition;
}

}  // namespace

const Policy &fusion_policy_none() {
    static const Policy policy{"none", "every operator is a group of its own", each_alone};
    return policy;
}

}  // namespace emulsion
