#include "fusion/policies/support/refusals.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <utility>

#include "fusion/legality.h"

namespace emulsion {

namespace {

class Refusals {
public:
    Refusals(const PolicyInput &input, const std::vector<std::vector<int>> &groups)
        : input_(input), groups_(groups), consumers_(input.graph.consumers()),
          duplicated_(duplicated_operators(input.graph, groups)),
          groups_of_(input.graph.operators.size()) {
        for (const std::vector<int> &group : groups) {
            for (const int member : group) {
                groups_of_[static_cast<size_t>(member)].push_back(&group);
            }
        }
    }

    std::vector<Refusal> run() const {
        std::vector<Refusal> refusals;
        for (const std::vector<int> &group : groups_) {
            const int producer = group.back();
            for (const int reader : consumers_[static_cast<size_t>(op(producer).result)]) {
                for (const std::vector<int> *other : groups_of_[static_cast<size_t>(reader)]) {
                    if (!std::binary_search(other->begin(), other->end(), producer)) {
                        add({op(producer).name, op(reader).name,
                             reason(group, *other, producer, reader)},
                            refusals);
                    }
                }
            }
        }
        return refusals;
    }

private:
    const PlannerOperator &op(int i) const {
        return input_.graph.operators[static_cast<size_t>(i)];
    }
    // Groups that compute copies of one reader may all be apart for one reason.
    static void add(Refusal refusal, std::vector<Refusal> &refusals) {
        if (refusals.empty() || !(refusals.back() == refusal)) {
            refusals.push_back(std::move(refusal));
        }
    }

    // Between `from`, which ends in `producer`, and `to`, where it is read.
    std::string reason(const std::vector<int> &from, const std::vector<int> &to, int producer,
                       int reader) const {
        if (is_marked(input_.free_operators, reader)) {
            return op(reader).concatenation.axis >= 0
                       ? "the producer writes its slice of the concatenation"
                       : "the consumer moves no data and launches nothing";
        }
        if (is_marked(input_.free_operators, producer)) {
            return op(producer).concatenation.axis >= 0
                       ? "a concatenation is no kernel where its operands are slices of its result"
                       : "the producer moves no data and launches nothing";
        }
        std::vector<int> both;
        std::set_union(from.begin(), from.end(), to.begin(), to.end(), std::back_inserter(both));
        if (const std::string illegal =
                illegal_because(input_.graph, consumers_, both, duplicated_);
            !illegal.empty()) {
            return illegal;
        }
        const GroupPrice joined = input_.cost.price(both);
        if (!joined.refused.empty()) {
            return joined.refused;
        }
        const double apart = input_.cost.price(from).cycles + input_.cost.price(to).cycles;
        const auto percent = std::lround(100.0 * (joined.cycles / apart - 1.0));
        return percent >= 0 ? "together they would take " + std::to_string(percent) + " % longer"
                            : "the policy keeps them apart, although together they would take " +
                                  std::to_string(-percent) + " % less";
    }

    const PolicyInput &input_;
    const std::vector<std::vector<int>> &groups_;
    std::vector<std::vector<int>> consumers_;
    std::vector<bool> duplicated_;                                  // by operator
    std::vector<std::vector<const std::vector<int> *>> groups_of_;  // by operator
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
