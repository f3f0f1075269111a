#include "fusion/place_members.h"

#include <algorithm>

#include "fusion/crossings.h"
#include "fusion/stages.h"

namespace emulsion {

namespace {

bool has_member(const std::vector<int> &list, int member) {
    return std::binary_search(list.begin(), list.end(), member);
}

// The nest of a stage whose result is `kept`.
Nest nest_of(const NestSpace &space, const PlacedGroup &group, int kept, const Crossing &crossing) {
    const GroupPlacement &placement = group.placement;
    const bool root = kept == group.members.back();
    const bool single_rows = has_member(placement.panels, kept) || (root && placement.single_rows);
    Nest nest = single_rows && !space.single_rows.nest.empty() ? space.single_rows.nest
                : root && !space.points.empty()
                    ? space.points.at(static_cast<size_t>(placement.point)).nest
                    : space.preferred();
    if (has_member(placement.serial, kept)) {
        for (const auto &[name, value] : space.panels.serial) {
            nest.parameters[name] = value;
        }
    }
    if (computes_blocks(crossing, space, placement, root)) {
        nest.parameters[space.crossing_parameter] = crossing.axis;
    }
    if (root && !placement.panels.empty() && !space.panels.rows_parameter.empty()) {
        nest.parameters[space.panels.rows_parameter] = placement.rows;
        if (!space.panels.task_parameter.empty()) {
            nest.parameters[space.panels.task_parameter] = placement.task_panels;
        }
    }
    return nest;
}

}  // namespace

std::vector<PlannedMember> place_members(const OperatorGraph &graph, const PlacedGroup &group) {
    const GroupPlacement &placement = group.placement;
    const std::vector<int> stages = stages_of(graph, group);
    const std::vector<int> anchors = anchors_of(graph, group, stages);
    const std::vector<Crossing> crossings = crossings_of(graph, group, stages, anchors);
    std::vector<int> kept(anchors.size(), -1);  // by stage: the member whose result it has
    for (size_t i = 0; i < group.members.size(); i++) {
        if (is_kept(group, group.members[i])) {
            kept[static_cast<size_t>(stages[i])] = group.members[i];
        }
    }
    std::vector<PlannedMember> members;
    for (size_t i = 0; i < group.members.size(); i++) {
        const int index = group.members[i];
        const auto stage = static_cast<size_t>(stages[i]);
        const PlannerOperator &op = graph.operators[static_cast<size_t>(index)];
        const ImplementationChoice &implementation = op.implementation;
        PlannedMember member{op.name, implementation.name, {}, stages[i], {}, {}, {}};
        const auto panel = std::find(placement.panels.begin(), placement.panels.end(), index);
        const bool is_panel = panel != placement.panels.end();
        for (const OperatorPart &part : implementation.parts) {
            const Placement kind = index == group.members.back()         ? Placement::Root
                                   : is_panel                            ? Placement::Panel
                                   : has_member(placement.wholes, index) ? Placement::Whole
                                                                         : part.placement;
            member.parts.push_back({part.part, part.part.empty() ? kind : part.placement});
        }
        if (index == anchors[stage]) {
            member.nest = nest_of(implementation.nest, group, kept[stage], crossings[stage]);
        }
        if (is_kept(group, index) && index != group.members.back()) {
            member.order = graph.values[static_cast<size_t>(op.result)].order;
            if (is_panel) {
                member.cut =
                    placement.cut.at(static_cast<size_t>(panel - placement.panels.begin()));
            }
        }
        members.push_back(std::move(member));
    }
    return members;
}

}  // namespace emulsion
