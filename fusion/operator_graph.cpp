#include "fusion/operator_graph.h"

#include <algorithm>

#include "fusion/reshape.h"

namespace emulsion {

double arithmetic_cycles(const ImplementationChoice &choice, const Machine &machine) {
    const NestEstimate &nest = choice.nest.usual();
    return machine.arithmetic().cycles(nest.cycles,
                                       choice.vector_operations * nest.operation_slowdown);
}

int OperatorGraph::index_of(const std::string &name) const {
    const auto op = std::find_if(operators.begin(), operators.end(),
                                 [&](const PlannerOperator &each) { return each.name == name; });
    return op == operators.end() ? -1 : static_cast<int>(op - operators.begin());
}

std::vector<int> OperatorGraph::producers() const {
    std::vector<int> result(values.size(), -1);
    for (size_t op = 0; op < operators.size(); op++) {
        result[static_cast<size_t>(operators[op].result)] = static_cast<int>(op);
    }
    return result;
}

std::vector<std::vector<int>> OperatorGraph::consumers() const {
    std::vector<std::vector<int>> result(values.size());
    for (size_t op = 0; op < operators.size(); op++) {
        for (const Operand &operand : operators[op].implementation.operands) {
            std::vector<int> &readers = result[static_cast<size_t>(operand.value)];
            if (readers.empty() || readers.back() != static_cast<int>(op)) {
                readers.push_back(static_cast<int>(op));
            }
        }
    }
    return result;
}

void estimate_nests(OperatorGraph &graph, const Machine &machine) {
    for (PlannerOperator &op : graph.operators) {
        op.implementation.nest.estimate_for(machine);
    }
}

int copied_value(const PlannerOperator &op) {
    const ImplementationChoice &choice = op.implementation;
    return choice.copies && choice.operands.size() == 1 ? choice.operands.front().value : -1;
}

bool is_reshape(const PlannerOperator &op) {
    return op.type == MappingType::Reorganize && copied_value(op) >= 0;
}

bool keeps_axes(const OperatorGraph &graph, const PlannerOperator &op) {
    if (!is_reshape(op)) {
        return false;
    }
    const auto groups = matched_axes(graph.values[static_cast<size_t>(copied_value(op))].extents,
                                     graph.values[static_cast<size_t>(op.result)].extents);
    return groups.size() > 1 && std::any_of(groups.begin(), groups.end(),
                                            [](const MatchedAxes &group) { return group.kept(); });
}

std::vector<int> moved_axes(const OperatorGraph &graph, const PlannerOperator &op) {
    const ImplementationChoice &choice = op.implementation;
    if (copied_value(op) < 0 || choice.operands.front().type != MappingType::Shuffle) {
        return {};
    }
    const Operand &operand = choice.operands.front();
    const auto &from = graph.values[static_cast<size_t>(operand.value)].extents;
    const auto &to = graph.values[static_cast<size_t>(op.result)].extents;
    if (from.size() != to.size() || operand.footprint.axes.size() != from.size()) {
        return {};
    }
    std::vector<int> axes;
    std::vector<bool> taken(to.size(), false);
    for (size_t i = 0; i < from.size(); i++) {
        const AxisReach &reach = operand.footprint.axes[i];
        const auto axis = static_cast<size_t>(reach.axis);
        if (reach.whole || reach.axis < 0 || reach.stride != 1 || reach.window != 1 ||
            taken[axis] || from[i] != to[axis]) {
            return {};
        }
        taken[axis] = true;
        axes.push_back(reach.axis);
    }
    return axes;
}

bool reads_in_place(const OperatorGraph &graph, const PlannerOperator &reader,
                    const Operand &operand) {
    return operand.type == MappingType::OneToOne &&
           graph.values[static_cast<size_t>(operand.value)].extents ==
               graph.values[static_cast<size_t>(reader.result)].extents &&
           std::all_of(operand.offset.begin(), operand.offset.end(),
                       [](int64_t offset) { return offset == 0; });
}

}  // namespace emulsion
