#include "fusion/group_nests.h"

#include <algorithm>

#include "fusion/constant_blocks.h"
#include "fusion/in_turns.h"

namespace emulsion {

namespace {

Placement placement_of(const PlannedMember &member) {
    return member.parts.empty() ? Placement::Inline : member.parts.back().placement;
}

// Where the result of a stage is kept.
Placement kept_at(const PlannedGroup &group, int stage) {
    for (const PlannedMember &member : group.members) {
        const Placement placement = placement_of(member);
        if (member.stage == stage && placement >= Placement::Panel) {
            return placement;
        }
    }
    return Placement::Root;
}

bool has_panels(const PlannedGroup &group) {
    return std::any_of(group.members.begin(), group.members.end(),
                       [](const PlannedMember &m) { return placement_of(m) == Placement::Panel; });
}

// In the order of their stages.
template<typename Group>
auto members_with_nests(Group &group) {
    std::vector<decltype(group.members.data())> members;
    for (auto &member : group.members) {
        if (!member.nest.empty()) {
            members.push_back(&member);
        }
    }
    std::stable_sort(members.begin(), members.end(),
                     [](const auto *a, const auto *b) { return a->stage < b->stage; });
    return members;
}

std::string prefix_of(const PlannedMember &member, size_t stages) {
    return stages > 1 ? std::to_string(member.stage) + "." : "";
}

// The parameter keeps the value that the nest has, or none.
void keep(NestSpace &space, const Nest &nest, const std::string &name) {
    NestParameter *parameter = space.find(name);
    if (parameter == nullptr) {
        return;
    }
    const auto value = nest.parameters.find(name);
    if (value == nest.parameters.end()) {
        std::erase_if(space.parameters, [&](const NestParameter &p) { return p.name == name; });
        return;
    }
    parameter->domain = {value->second, value->second};
    parameter->preferred = value->second;
    parameter->is_optional = false;
}

// Of nothing but one nest.
NestSpace only(const Nest &nest) {
    NestSpace space;
    space.template_name = nest.template_name;
    for (const auto &[name, value] : nest.parameters) {
        space.parameters.push_back({name, NestType::Count, "", {value, value}, value});
    }
    return space;
}

// The planner chooses among several nests on a GPU only.
bool has_choices(const NestSpace &space) { return space.points.size() > 1; }

// Of one stage, beside the planned nest: what the machine suggests, then what the planner has chosen from.
std::vector<Nest> suggestions(const NestSpace &space, const Nest &planned, const Machine &machine) {
    std::vector<Nest> nests =
        space.model ? space.model->suggest(planned, machine) : std::vector<Nest>();
    for (const NestPoint &point : space.points) {
        if (has_choices(space)) {
            nests.push_back(point.nest);
        }
    }
    return nests;
}

NestSpace stage_space(const OperatorGraph &graph, const PlannedGroup &group,
                      const PlannedMember &member) {
    const int op = graph.index_of(member.op);
    NestSpace space = graph.operators[static_cast<size_t>(op)].implementation.nest;
    // The panels of a GPU are laid out for the workgroup that was planned.
    if (!space.is_valid(member.nest).empty() || (has_choices(space) && has_panels(group))) {
        return only(member.nest);
    }
    const Placement placement = kept_at(group, member.stage);
    const bool hosts = placement == Placement::Root && has_panels(group);
    const PanelLoops &panels = space.panels;
    const std::vector<std::string> unused = placement == Placement::Panel ? panels.unused_as_panel
                                            : hosts                       ? panels.unused_hosting
                                                                          : panels.unused_alone;
    for (const std::string &name : unused) {
        keep(space, member.nest, name);
    }
    if (shares_blocks(graph, group, member)) {
        for (const std::string &name : space.block_parameters) {
            keep(space, member.nest, name);
        }
    }
    // What a nest may lack is for those that would not compile with it, or without.
    std::erase_if(space.parameters, [&](const NestParameter &p) {
        return p.is_optional && member.nest.parameters.count(p.name) == 0;
    });
    return space;
}

void add(NestSpace &all, const NestSpace &space, const std::string &prefix) {
    all.version = space.version + (all.template_name.empty() ? 0 : all.version);
    all.template_name += (all.template_name.empty() ? "" : "+") + space.template_name;
    for (NestParameter parameter : space.parameters) {
        parameter.name.insert(0, prefix);
        all.parameters.push_back(std::move(parameter));
    }
    for (NestConstraint constraint : space.constraints) {
        for (std::string &name : constraint.parameters) {
            name.insert(0, prefix);
        }
        if (constraint.where) {
            constraint.where->first.insert(0, prefix);
        }
        all.constraints.push_back(std::move(constraint));
    }
}

}  // namespace

std::vector<StageNest> stage_nests(const PlannedGroup &group) {
    const auto members = members_with_nests(group);
    std::vector<StageNest> stages;
    for (const PlannedMember *member : members) {
        stages.push_back({member->op, prefix_of(*member, members.size()), member->nest});
    }
    return stages;
}

Nest part_of(const Nest &nest, const std::string &prefix, const std::string &template_name) {
    Nest part{template_name, {}};
    for (const auto &[name, value] : nest.parameters) {
        if (name.starts_with(prefix)) {
            part.parameters[name.substr(prefix.size())] = value;
        }
    }
    return part;
}

Nest group_nest(const PlannedGroup &group) {
    Nest all;
    for (const StageNest &stage : stage_nests(group)) {
        all.template_name += (all.template_name.empty() ? "" : "+") + stage.nest.template_name;
        for (const auto &[name, value] : stage.nest.parameters) {
            all.parameters[stage.prefix + name] = value;
        }
    }
    return all;
}

void set_group_nest(PlannedGroup &group, const Nest &nest) {
    const auto members = members_with_nests(group);
    for (PlannedMember *member : members) {
        member->nest =
            part_of(nest, prefix_of(*member, members.size()), member->nest.template_name);
    }
}

NestSpace group_space(const OperatorGraph &graph, const PlannedGroup &group) {
    const auto members = members_with_nests(group);
    NestSpace all;
    for (const PlannedMember *member : members) {
        add(all, stage_space(graph, group, *member), prefix_of(*member, members.size()));
    }
    return all;
}

std::vector<Nest> suggested_nests(const OperatorGraph &graph, const PlannedGroup &group,
                                  const Machine &machine) {
    const auto members = members_with_nests(group);
    const NestSpace space = group_space(graph, group);
    const Nest planned = group_nest(group);
    std::vector<std::vector<Nest>> stages(members.size());
    for (size_t i = 0; i < members.size(); i++) {
        const int op = graph.index_of(members[i]->op);
        const NestSpace &own = graph.operators[static_cast<size_t>(op)].implementation.nest;
        const std::string prefix = prefix_of(*members[i], members.size());
        for (const Nest &suggested : suggestions(own, members[i]->nest, machine)) {
            Nest nest = planned;
            for (const auto &[name, value] : suggested.parameters) {
                nest.parameters[prefix + name] = value;
            }
            if (nest != planned && space.is_valid(nest).empty()) {
                stages[i].push_back(std::move(nest));
            }
        }
    }
    return in_turns(stages);
}

}  // namespace emulsion
