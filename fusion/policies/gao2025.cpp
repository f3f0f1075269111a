// Groups grow from an operator along its consumers, element-wise operators only: the epilogue is
// computed where the accumulators are.
//
//     relu(conv(x))                     -> {conv, relu}
//     c = conv(x); c * sigmoid(c)       -> {conv, sigmoid, mul}: whoever reads c is in the group
//     add(conv1(x), conv2(y))           -> {conv1} {conv2, add}: the later producer takes the consumer,
//                                          the earlier value has to be in memory anyway
//     c = conv(x); add(c, conv(c))      -> {conv} {conv, add}: c is read outside of any such group
//     relu(add(x, y))                   -> {add, relu}
//
// Concatenations stay alone, for the planner makes slices of their operands.
#include <algorithm>
#include <set>
#include <string>

#include "fusion/policies/support/group_size.h"
#include "fusion/policy.h"

namespace emulsion {

namespace {

class Search {
public:
    explicit Search(const OperatorGraph &graph)
        : graph_(graph), producers_(graph.producers()), consumers_(graph.consumers()),
          taken_by_(graph.operators.size(), -1) {}

    Partition run() {
        const int count = static_cast<int>(graph_.operators.size());
        for (int i = count; i-- > 0;) {
            if (op(i).type == MappingType::ManyToMany) {
                grow_from(i);
            }
        }
        for (int i = 0; i < count; i++) {
            if (taken_by_[static_cast<size_t>(i)] < 0) {
                grow_from(i);
            }
        }
        // A group runs when its last member's operands are all there.
        std::sort(partition_.groups.begin(), partition_.groups.end(),
                  [](const auto &a, const auto &b) { return a.members.back() < b.members.back(); });
        return std::move(partition_);
    }

private:
    const PlannerOperator &op(int i) const { return graph_.operators[static_cast<size_t>(i)]; }
    const Value &result(int i) const { return graph_.values[static_cast<size_t>(op(i).result)]; }
    const std::vector<int> &readers(int i) const {
        return consumers_[static_cast<size_t>(op(i).result)];
    }

    // The largest group that begins with `start` and can be closed: all but its last member are read
    // inside only.
    void grow_from(int start) {
        std::vector<int> members{start};
        std::vector<int> closed = members;
        std::set<int> waiting(readers(start).begin(), readers(start).end());
        std::string reason = start_refusal(start);
        while (!waiting.empty() && reason.empty()) {
            const int next = *waiting.begin();
            reason = refusal(members, next);
            waiting.erase(waiting.begin());
            members.push_back(next);
            if (reason.empty() && waiting.empty()) {
                closed = members;
            }
            waiting.insert(readers(next).begin(), readers(next).end());
        }
        for (const int reader : readers(closed.back())) {
            partition_.refusals.push_back({op(closed.back()).name, op(reader).name, reason});
        }
        for (const int member : closed) {
            taken_by_[static_cast<size_t>(member)] = start;
        }
        partition_.groups.push_back({std::move(closed), {}});
    }

    // Why no group grows from `start`; empty: one may.
    std::string start_refusal(int start) const {
        if (op(start).concatenation.axis >= 0) {
            return "a concatenation is no kernel where its operands are slices of its result";
        }
        if (op(start).type == MappingType::Opaque) {
            return "the producer's index expressions are Opaque";
        }
        return "";
    }

    // Why `next`, the first in topological order that reads a value of `members`, may not join them;
    // empty: it may. (Being the first, it has no operand that depends on the group from outside.)
    std::string refusal(const std::vector<int> &members, int next) const {
        if (op(next).type == MappingType::ManyToMany) {
            return "a Many-to-Many operator starts a group of its own";
        }
        if (op(next).concatenation.axis >= 0) {
            return "the producer writes its slice of the concatenation";
        }
        if (const int other = taken_by_[static_cast<size_t>(next)]; other >= 0) {
            return "the consumer joined the later producer '" + op(other).name + "'";
        }
        if (members.size() == kMostMembers) {
            return "the group has " + std::to_string(kMostMembers) + " operators";
        }
        if (readers(members.back()).empty()) {
            return "'" + op(members.back()).name +
                   "', which reads the value as well, leads elsewhere";
        }
        for (const int member : members) {
            const std::string reason = edge_refusal(member, next);
            if (!reason.empty()) {
                return reason;
            }
        }
        std::vector<int> joined = members;
        joined.push_back(next);
        if (group_inputs(graph_, joined) > kMostInputs) {
            return "the group would read more than " + std::to_string(kMostInputs) + " tensors";
        }
        return "";
    }

    std::string edge_refusal(int producer, int consumer) const {
        for (const Operand &operand : op(consumer).implementations.front().operands) {
            if (producers_[static_cast<size_t>(operand.value)] != producer) {
                continue;
            }
            if (operand.type != MappingType::OneToOne) {
                return "the edge is " + std::string(to_string(operand.type)) + ", not One-to-One";
            }
            const bool shifted = std::any_of(operand.offset.begin(), operand.offset.end(),
                                             [](int64_t offset) { return offset != 0; });
            if (shifted || result(producer).extents != result(consumer).extents) {
                return "the consumer reads a part of the value";
            }
            if (result(producer).is_output) {
                return "the value between is an output of the pipeline";
            }
        }
        return "";
    }

    const OperatorGraph &graph_;
    std::vector<int> producers_;
    std::vector<std::vector<int>> consumers_;
    std::vector<int> taken_by_;  // per operator: the one that its group grew from, or -1
    Partition partition_;
};

}  // namespace

const Policy &fusion_policy_gao2025() {
    static const Policy policy{
        .name = "gao2025",
        .description = "element-wise operators with the one before them; no copies for Concat",
        .partition = [](const OperatorGraph &graph,
                        const Machine &) { return Search(graph).run(); },
        .absorbs_concatenations = true};
    return policy;
}

}  // namespace emulsion
