#include "fusion/stages.h"

#include <algorithm>

namespace emulsion {

bool is_kept(const PlacedGroup &group, int member) {
    const std::vector<int> &panels = group.placement.panels, &wholes = group.placement.wholes;
    return member == group.members.back() ||
           std::binary_search(panels.begin(), panels.end(), member) ||
           std::binary_search(wholes.begin(), wholes.end(), member);
}

std::vector<int> stages_of(const OperatorGraph &graph, const PlacedGroup &group) {
    const size_t count = group.members.size();
    const auto op = [&](size_t i) -> const PlannerOperator & {
        return graph.operators[static_cast<size_t>(group.members[i])];
    };
    int next = static_cast<int>(group.placement.panels.size() + group.placement.wholes.size());
    // By position: the earliest stage that reads the member.
    std::vector<int> read_in(count, next), stages(count);
    for (size_t i = count; i-- > 0;) {
        stages[i] = is_kept(group, group.members[i]) ? next-- : read_in[i];
        for (const Operand &operand : op(i).implementation.operands) {
            for (size_t j = 0; j < i; j++) {
                if (op(j).result == operand.value) {
                    read_in[j] = std::min(read_in[j], stages[i]);
                }
            }
        }
    }
    return stages;
}

std::vector<int> anchors_of(const OperatorGraph &graph, const PlacedGroup &group,
                            const std::vector<int> &stages) {
    const auto reduces = [&](int member) {
        return graph.operators[static_cast<size_t>(member)].implementation.reduces;
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
