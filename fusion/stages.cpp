#include "fusion/stages.h"

#include <algorithm>
#include <map>

namespace emulsion {

std::vector<int> stages_of(const OperatorGraph &graph, const ChosenGroup &group) {
    std::map<int, int> stage_of_value;  // by value that a stage reads: the earliest stage that does
    std::vector<int> stages(group.members.size());
    int next = static_cast<int>(group.panels.size());
    for (size_t i = group.members.size(); i-- > 0;) {
        const int member = group.members[i];
        const PlannerOperator &op = graph.operators[static_cast<size_t>(member)];
        const bool own = i + 1 == group.members.size() ||
                         std::binary_search(group.panels.begin(), group.panels.end(), member);
        stages[i] = own ? next-- : stage_of_value.at(op.result);
        for (const Operand &operand : op.implementations.front().operands) {
            const auto [known, first] = stage_of_value.emplace(operand.value, stages[i]);
            if (!first) {
                known->second = std::min(known->second, stages[i]);
            }
        }
    }
    return stages;
}

int anchor_of(const OperatorGraph &graph, const ChosenGroup &group, const std::vector<int> &stages,
              int stage) {
    const auto is_heavy = [&](int member) {
        return graph.operators[static_cast<size_t>(member)].type == MappingType::ManyToMany;
    };
    int anchor = -1;
    for (size_t i = 0; i < group.members.size(); i++) {
        const int member = group.members[i];
        if (stages[i] == stage && (anchor < 0 || is_heavy(member) || !is_heavy(anchor))) {
            anchor = member;
        }
    }
    return anchor;
}

const ImplementationChoice &stage_anchor(const OperatorGraph &graph, const ChosenGroup &group) {
    const int last = static_cast<int>(group.panels.size());
    const int anchor = anchor_of(graph, group, stages_of(graph, group), last);
    return graph.operators[static_cast<size_t>(anchor)].implementations.front();
}

}  // namespace emulsion
