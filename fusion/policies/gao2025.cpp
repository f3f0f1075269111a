// Each Many-to-Many operator with the element-wise operators that follow it, as long as the value
// between has one consumer: the epilogue is computed where the accumulators are.
//
//     relu(conv(x))              -> {conv, relu}
//     add(conv1(x), conv2(y))    -> {conv1} {conv2, add}: the later producer takes the consumer, the
//                                   earlier value has to be in memory anyway
#include <algorithm>
#include <string>

#include "fusion/policy.h"

namespace emulsion {

namespace {

struct Search {
    const OperatorGraph &graph;
    std::vector<int> producers = graph.producers();
    std::vector<std::vector<int>> consumers = graph.consumers();
    std::vector<int> group_of = std::vector<int>(graph.operators.size(), -1);
    Partition partition{};

    const PlannerOperator &op(int i) const { return graph.operators[static_cast<size_t>(i)]; }

    // Why `consumer` may not join the group of the producer of `operand`; empty: it may.
    std::string refusal(int producer, int consumer, const Operand &operand) const {
        const Value &between = graph.values[static_cast<size_t>(operand.value)];
        const auto &group =
            partition.groups[static_cast<size_t>(group_of[static_cast<size_t>(producer)])];
        if (op(consumer).type == MappingType::ManyToMany) {
            return "a Many-to-Many operator starts a group of its own";
        }
        if (op(group.front()).type != MappingType::ManyToMany) {
            return "the producer's group has no Many-to-Many operator";
        }
        if (operand.type != MappingType::OneToOne) {
            return "the edge is " + std::string(to_string(operand.type)) + ", not One-to-One";
        }
        if (between.is_output) {
            return "the value between is an output of the pipeline";
        }
        if (consumers[static_cast<size_t>(operand.value)].size() != 1) {
            return "the value between has more than one consumer";
        }
        if (group.back() != producer) {
            return "another operator already follows the producer in its group";
        }
        return "";
    }

    void place(int consumer) {
        int best = -1;
        for (const Operand &operand : op(consumer).implementations.front().operands) {
            const int producer = producers[static_cast<size_t>(operand.value)];
            if (producer < 0) {
                continue;
            }
            const std::string reason = refusal(producer, consumer, operand);
            if (reason.empty()) {
                best = std::max(best, producer);
            } else {
                partition.refusals.push_back({op(producer).name, op(consumer).name, reason});
            }
        }
        for (const Operand &operand : op(consumer).implementations.front().operands) {
            const int producer = producers[static_cast<size_t>(operand.value)];
            if (producer >= 0 && producer != best && refusal(producer, consumer, operand).empty()) {
                partition.refusals.push_back(
                    {op(producer).name, op(consumer).name,
                     "the consumer joined the later producer '" + op(best).name + "'"});
            }
        }
        int &mine = group_of[static_cast<size_t>(consumer)];
        if (best >= 0) {
            mine = group_of[static_cast<size_t>(best)];
            partition.groups[static_cast<size_t>(mine)].push_back(consumer);
        } else {
            mine = static_cast<int>(partition.groups.size());
            partition.groups.push_back({consumer});
        }
    }
};

Partition epilogues(const OperatorGraph &graph) {
    Search search{graph};
    for (size_t op = 0; op < graph.operators.size(); op++) {
        search.place(static_cast<int>(op));
    }
    // A group runs when its last member's operands are all there.
    std::stable_sort(search.partition.groups.begin(), search.partition.groups.end(),
                     [](const auto &a, const auto &b) { return a.back() < b.back(); });
    return search.partition;
}

}  // namespace

const Policy &fusion_policy_gao2025() {
    static const Policy policy{
        "gao2025", "each Many-to-Many operator with the element-wise operators that follow it",
        epilogues};
    return policy;
}

}  // namespace emulsion
