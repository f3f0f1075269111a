#include "fusion/stages.h"

#include <algorithm>
#include <map>

namespace emulsion {

bool is_kept(const PlacedGroup &group, int member) {
    const auto &[panels, wholes, serial, rows, single_rows, cut] = group.placement;
    return member == group.members.back() ||
           std::binary_search(panels.begin(), panels.end(), member) ||
           std::binary_search(wholes.begin(), wholes.end(), member);
}

std::vector<int> stages_of(const OperatorGraph &graph, const PlacedGroup &group) {
    std::map<int, int> stage_of_value;  // by value that a stage reads: the earliest stage that does
    std::vector<int> stages(group.members.size());
    int next = static_cast<int>(group.placement.panels.size() + group.placement.wholes.size());
    for (size_t i = group.members.size(); i-- > 0;) {
        const PlannerOperator &op = graph.operators[static_cast<size_t>(group.members[i])];
        stages[i] = is_kept(group, group.members[i]) ? next-- : stage_of_value.at(op.result);
        for (const Operand &operand : op.implementations.front().operands) {
            const auto [known, first] = stage_of_value.emplace(operand.value, stages[i]);
            if (!first) {
                known->second = std::min(known->second, stages[i]);
            }
        }
    }
    return stages;
}

std::vector<int> anchors_of(const OperatorGraph &graph, const PlacedGroup &group,
                            const std::vector<int> &stages) {
    const auto reduces = [&](int member) {
        return graph.operators[static_cast<size_t>(member)].implementations.front().reduces;
    };
    std::vector<int> anchors(static_cast<size_t>(stages.back()) + 1, -1);
    for (size_t i = 0; i < group.members.size(); i++) {
        int &anchor = anchors[static_cast<size_t>(stages[i])];
        if (anchor < 0 || reduces(group.members[i]) || !reduces(anchor)) {
            anchor = group.members[i];
        }
    }
    return anchors;
}

}  // namespace emulsion
