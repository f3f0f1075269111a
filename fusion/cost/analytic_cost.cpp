#include "fusion/cost/analytic_cost.h"

#include <algorithm>
#include <string>

#include "fusion/cost/placements.h"
#include "fusion/cost/price_key.h"
#include "fusion/layout.h"

namespace emulsion {

namespace {

std::vector<int> translated(const std::vector<int> &list, const std::vector<int> &from,
                            const std::vector<int> &to) {
    std::vector<int> result;
    for (const int member : list) {
        const auto at = std::lower_bound(from.begin(), from.end(), member) - from.begin();
        result.push_back(to[static_cast<size_t>(at)]);
    }
    return result;
}

GroupPlacement translated(GroupPlacement placement, const std::vector<int> &from,
                          const std::vector<int> &to) {
    for (std::vector<int> *list : {&placement.panels, &placement.wholes, &placement.serial}) {
        *list = translated(*list, from, to);
    }
    return placement;
}

// Whether a reader, however it is cut into tiles, reads every element of an operand.
bool covers(const OperatorGraph &graph, const PlannerOperator &reader, const Operand &operand) {
    const std::vector<int64_t> &extents = graph.values[static_cast<size_t>(operand.value)].extents;
    const std::vector<int64_t> &result = graph.values[static_cast<size_t>(reader.result)].extents;
    if (operand.reads < static_cast<double>(element_count(extents))) {
        return false;
    }
    for (size_t i = 0; i < operand.footprint.axes.size(); i++) {
        const AxisReach &reach = operand.footprint.axes[i];
        const int64_t steps =
            reach.axis < 0 ? 0 : (result[static_cast<size_t>(reach.axis)] - 1) / reach.divisor;
        const bool gaps = reach.stride > reach.window;
        if (!reach.whole && (gaps || steps * reach.stride + reach.window < extents[i])) {
            return false;
        }
    }
    return true;
}

// Of an operator's loop nest, in whatever way it runs.
double fewest_cycles(const ImplementationChoice &choice, const Machine &machine) {
    const auto cycles = [&](const NestEstimate &nest) {
        return machine.arithmetic().cycles(nest.cycles, choice.vector_operations);
    };
    double fewest = cycles(choice.nest.single_rows.estimate);
    for (const NestPoint &point : choice.nest.points) {
        fewest = std::min(fewest, cycles(point.estimate));
    }
    return fewest;
}

std::vector<int> positions(size_t count) {
    std::vector<int> result(count);
    for (size_t i = 0; i < count; i++) {
        result[i] = static_cast<int>(i);
    }
    return result;
}

}  // namespace

AnalyticCost::AnalyticCost(const OperatorGraph &graph, const Machine &machine,
                           std::vector<bool> free_operators, KnownPrices *known)
    : graph_(graph), machine_(machine), free_(std::move(free_operators)),
      known_(known != nullptr ? *known : own_) {
    std::map<std::string, int> &classes = known_.classes;
    for (const PlannerOperator &op : graph.operators) {
        const auto [known, first] =
            classes.emplace(price_key(graph, op), static_cast<int>(classes.size()));
        class_of_.push_back(known->second);
    }
    find_least_cycles();
}

// Classes of the members, and which of them reads what: an earlier member, or the how-manieth value from
// outside.
std::vector<int> AnalyticCost::structure_of(const std::vector<int> &members) const {
    std::map<int, int> number;  // by value: position of the member that makes it, or -1, -2, ...
    std::vector<int> structure;
    int outside = 0;
    for (size_t i = 0; i < members.size(); i++) {
        const PlannerOperator &op = graph_.operators[static_cast<size_t>(members[i])];
        structure.push_back(class_of_[static_cast<size_t>(members[i])]);
        for (const Operand &operand : op.implementation.operands) {
            const auto [known, first] = number.emplace(operand.value, -outside - 1);
            outside += first ? 1 : 0;
            structure.push_back(known->second);
        }
        number[op.result] = static_cast<int>(i);
    }
    return structure;
}

GroupPrice AnalyticCost::price(const std::vector<int> &members) const {
    if (members.size() == 1 && is_free(members.front())) {
        return {};
    }
    const std::vector<int> numbers = positions(members.size());
    const std::vector<int> structure = structure_of(members);
    if (const auto known = known_.groups.find(structure); known != known_.groups.end()) {
        GroupPrice price = known->second;
        price.placement = translated(std::move(price.placement), numbers, members);
        return price;
    }
    GroupPrice price = best_placement(graph_, members, machine_);
    GroupPrice &kept = known_.groups[structure] = price;
    kept.placement = translated(std::move(kept.placement), members, numbers);
    return price;
}

double AnalyticCost::least_cycles(int op) const { return least_[static_cast<size_t>(op)]; }

// The operator's own arithmetic, evenly shared; nothing where its readers, or theirs, may leave a part
// uncomputed.
void AnalyticCost::find_least_cycles() {
    least_.assign(graph_.operators.size(), 0.0);
    std::vector<bool> covered(graph_.values.size(), true);
    for (size_t i = least_.size(); i-- > 0;) {  // readers first
        const PlannerOperator &op = graph_.operators[i];
        for (const Operand &operand : op.implementation.operands) {
            if (!covered[static_cast<size_t>(op.result)] || !covers(graph_, op, operand)) {
                covered[static_cast<size_t>(operand.value)] = false;
            }
        }
    }
    for (size_t i = 0; i < least_.size(); i++) {
        const PlannerOperator &op = graph_.operators[i];
        const ImplementationChoice &choice = op.implementation;
        if (!is_free(static_cast<int>(i)) && covered[static_cast<size_t>(op.result)]) {
            least_[i] = fewest_cycles(choice, machine_) / machine_.cores();
        }
    }
}

}  // namespace emulsion
