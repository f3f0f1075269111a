#include "fusion/policies/support/refusals.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "fusion/legality.h"

namespace emulsion {

namespace {

class Refusals {
public:
    Refusals(const PolicyInput &input, const std::vector<std::vector<int>> &groups)
        : input_(input), groups_(groups), consumers_(input.graph.consumers()),
          group_of_(input.graph.operators.size(), -1) {
        for (size_t g = 0; g < groups.size(); g++) {
            for (const int member : groups[g]) {
                group_of_[static_cast<size_t>(member)] = static_cast<int>(g);
            }
        }
    }

    std::vector<Refusal> run() const {
        std::vector<Refusal> refusals;
        for (const std::vector<int> &group : groups_) {
            const int producer = group.back();
            for (const int reader : consumers_[static_cast<size_t>(op(producer).result)]) {
                refusals.push_back({op(producer).name, op(reader).name, reason(producer, reader)});
            }
        }
        return refusals;
    }

private:
    const PlannerOperator &op(int i) const {
        return input_.graph.operators[static_cast<size_t>(i)];
    }
    const std::vector<int> &group(int member) const {
        return groups_[static_cast<size_t>(group_of_[static_cast<size_t>(member)])];
    }
    bool is_free(int i) const {
        return static_cast<size_t>(i) < input_.free_operators.size() &&
               input_.free_operators[static_cast<size_t>(i)];
    }

    std::string reason(int producer, int reader) const {
        if (is_free(reader)) {
            return op(reader).concatenation.axis >= 0
                       ? "the producer writes its slice of the concatenation"
                       : "the consumer moves no data and launches nothing";
        }
        if (is_free(producer)) {
            return op(producer).concatenation.axis >= 0
                       ? "a concatenation is no kernel where its operands are slices of its result"
                       : "the producer moves no data and launches nothing";
        }
        std::vector<int> both = group(producer);
        both.insert(both.end(), group(reader).begin(), group(reader).end());
        std::sort(both.begin(), both.end());
        if (const std::string illegal = illegal_because(input_.graph, consumers_, both);
            !illegal.empty()) {
            return illegal;
        }
        const GroupPrice joined = input_.cost.price(both);
        if (!joined.refused.empty()) {
            return joined.refused;
        }
        const double apart =
            input_.cost.price(group(producer)).cycles + input_.cost.price(group(reader)).cycles;
        const auto percent = std::lround(100.0 * (joined.cycles / apart - 1.0));
        return "together they would take " + std::to_string(percent) + " % longer";
    }

    const PolicyInput &input_;
    const std::vector<std::vector<int>> &groups_;
    std::vector<std::vector<int>> consumers_;
    std::vector<int> group_of_;  // by operator
};

}  // namespace

std::vector<Refusal> refusals_of(const PolicyInput &input,
                                 const std::vector<std::vector<int>> &groups) {
    return Refusals(input, groups).run();
}

Partition partition_into(const PolicyInput &input, std::vector<std::vector<int>> groups) {
    std::sort(groups.begin(), groups.end(),
              [](const auto &a, const auto &b) { return a.back() < b.back(); });
    std::vector<Refusal> refusals = refusals_of(input, groups);
    return {std::move(groups), std::move(refusals), {}};
}

}  // namespace emulsion
