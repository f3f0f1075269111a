// As XLA's priority fusion: of all producers the one whose fusion with its readers saves the most is fused
// first, and those beside it are scored again, until none saves anything.
#include <algorithm>
#include <optional>
#include <set>

#include "fusion/legality.h"
#include "fusion/policies/support/refusals.h"
#include "fusion/policy.h"

namespace emulsion {

namespace {

class Priority {
public:
    explicit Priority(const PolicyInput &input)
        : input_(input), graph_(input.graph), consumers_(graph_.consumers()),
          producers_(graph_.producers()), gains_(graph_.operators.size(), 0.0) {
        for (int op = 0; op < static_cast<int>(graph_.operators.size()); op++) {
            groups_.push_back({op});
            group_of_.push_back(op);
        }
    }

    Partition run() {
        for (int g = 0; g < static_cast<int>(groups_.size()); g++) {
            score(g);
        }
        while (!queue_.empty()) {
            const int producer = queue_.begin()->second;
            fuse(producer, reader(producer).value());
        }
        std::erase_if(groups_, [](const std::vector<int> &group) { return group.empty(); });
        return partition_into(input_, std::move(groups_));
    }

private:
    const PlannerOperator &op(int i) const { return graph_.operators[static_cast<size_t>(i)]; }
    std::vector<int> &group(int g) { return groups_[static_cast<size_t>(g)]; }

    // The one group that reads the result of group `g`, if it is one.
    std::optional<int> reader(int g) {
        const auto &readers = consumers_[static_cast<size_t>(op(group(g).back()).result)];
        std::optional<int> only;
        for (const int member : readers) {
            const int other = group_of_[static_cast<size_t>(member)];
            if (only && *only != other) {
                return std::nullopt;
            }
            only = other;
        }
        return only;
    }

    // Puts `g` into the queue if it is worth fusing with its reader.
    void score(int g) {
        double &gain = gains_[static_cast<size_t>(g)];
        queue_.erase({-gain, g});
        gain = 0.0;
        const std::optional<int> into = group(g).empty() ? std::nullopt : reader(g);
        if (!into) {
            return;
        }
        const std::vector<int> both = joined(g, *into);
        if (!illegal_because(graph_, consumers_, both).empty()) {
            return;
        }
        const GroupPrice price = input_.cost.price(both);
        if (!price.refused.empty()) {
            return;
        }
        gain = input_.cost.price(group(g)).cycles + input_.cost.price(group(*into)).cycles -
               price.cycles;
        if (gain > 0.0) {
            queue_.emplace(-gain, g);
        }
    }

    std::vector<int> joined(int a, int b) {
        std::vector<int> both = group(a);
        both.insert(both.end(), group(b).begin(), group(b).end());
        std::sort(both.begin(), both.end());
        return both;
    }

    void fuse(int producer, int into) {
        group(into) = joined(producer, into);
        group(producer).clear();
        score(producer);  // takes it out of the queue
        std::set<int> beside{into};
        for (const int member : group(into)) {
            group_of_[static_cast<size_t>(member)] = into;
        }
        for (const int member : group(into)) {
            for (const Operand &operand : op(member).implementation.operands) {
                if (const int source = producers_[static_cast<size_t>(operand.value)];
                    source >= 0) {
                    beside.insert(group_of_[static_cast<size_t>(source)]);
                }
            }
        }
        for (const int g : beside) {
            score(g);
        }
    }

    const PolicyInput &input_;
    const OperatorGraph &graph_;
    std::vector<std::vector<int>> consumers_;
    std::vector<int> producers_;
    std::vector<std::vector<int>> groups_;    // empty: fused into another
    std::vector<int> group_of_;               // by operator
    std::vector<double> gains_;               // by group
    std::set<std::pair<double, int>> queue_;  // (-gain, group), the largest gain first
};

}  // namespace

const Policy &fusion_policy_priority() {
    static const Policy policy{
        .name = "priority",
        .description = "XLA's way: the producer that saves the most first",
        .partition = [](const PolicyInput &input) { return Priority(input).run(); }};
    return policy;
}

}  // namespace emulsion
