#include "fusion/place_members.h"

#include <algorithm>

#include "fusion/stages.h"

namespace emulsion {

std::vector<PlannedMember> place_members(const OperatorGraph &graph, const ChosenGroup &group) {
    const std::vector<int> stages = stages_of(graph, group);
    std::vector<int> anchors;
    for (size_t stage = 0; stage <= group.panels.size(); stage++) {
        anchors.push_back(anchor_of(graph, group, stages, static_cast<int>(stage)));
    }
    std::vector<PlannedMember> members;
    for (size_t i = 0; i < group.members.size(); i++) {
        const int index = group.members[i];
        const PlannerOperator &op = graph.operators[static_cast<size_t>(index)];
        const ImplementationChoice &implementation = op.implementations.front();
        const bool root = i + 1 == group.members.size();
        const bool panel = std::binary_search(group.panels.begin(), group.panels.end(), index);
        PlannedMember member{op.name, implementation.name, {}, stages[i], {}, {}, {}};
        for (const OperatorPart &part : implementation.parts) {
            const bool result = part.part.empty();
            member.parts.push_back({part.part, result && root    ? Placement::Root
                                               : result && panel ? Placement::Panel
                                                                 : part.placement});
        }
        if (index == anchors.at(static_cast<size_t>(stages[i]))) {
            member.nest = implementation.nest.preferred();
        }
        members.push_back(std::move(member));
    }
    return members;
}

}  // namespace emulsion
