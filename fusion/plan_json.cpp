#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "fusion/error.h"
#include "fusion/plan.h"

namespace emulsion {

using nlohmann::json;

namespace {

template<typename Enum>
struct EnumName {
    Enum value;
    const char *name;
};

constexpr EnumName<Placement> kPlacements[] = {{Placement::Inline, "inline"},
                                               {Placement::Register, "register"},
                                               {Placement::Panel, "panel"},
                                               {Placement::Root, "root"}};
constexpr EnumName<GroupKind> kGroupKinds[] = {
    {GroupKind::Compute, "compute"}, {GroupKind::Convert, "convert"}, {GroupKind::View, "view"}};

template<typename Enum, size_t N>
const char *name_of(const EnumName<Enum> (&names)[N], Enum value) {
    for (const auto &entry : names) {
        if (entry.value == value) {
            return entry.name;
        }
    }
    return "";
}

template<typename Enum, size_t N>
Enum value_of(const EnumName<Enum> (&names)[N], const std::string &name, const char *what) {
    for (const auto &entry : names) {
        if (name == entry.name) {
            return entry.value;
        }
    }
    throw Error("the plan has an unknown " + std::string(what) + " '" + name + "'");
}

json layout_to_json(const Layout &layout) {
    json j = {{"order", layout.order}};
    if (layout.has_halo()) {
        json halo = json::array();
        for (const Margin &m : layout.halo) {
            halo.push_back({m.before, m.after});
        }
        j["halo"] = halo;
        // JSON has no infinities; the lowest value is what max pooling pads with.
        j["fill"] = layout.fill < -1e300 ? json("lowest") : json(layout.fill);
    }
    if (layout.block_axis >= 0) {
        j["block"] = {{"axis", layout.block_axis}, {"size", layout.block}};
    }
    return j;
}

Layout layout_from_json(const json &j) {
    Layout layout;
    layout.order = j.at("order").get<std::vector<int>>();
    std::vector<int> sorted = layout.order;
    std::sort(sorted.begin(), sorted.end());
    for (size_t i = 0; i < sorted.size(); i++) {
        if (sorted[i] != static_cast<int>(i)) {
            throw Error("the plan has a layout whose order is no permutation of its axes");
        }
    }
    if (j.contains("halo")) {
        for (const json &m : j.at("halo")) {
            layout.halo.push_back({m.at(0).get<int64_t>(), m.at(1).get<int64_t>()});
        }
        const json &fill = j.at("fill");
        layout.fill =
            fill.is_string() ? -std::numeric_limits<double>::infinity() : fill.get<double>();
    }
    if (j.contains("block")) {
        layout.block_axis = j.at("block").at("axis").get<int>();
        layout.block = j.at("block").at("size").get<int64_t>();
        if (layout.block < 1 || layout.block_axis < 0 ||
            layout.block_axis >= static_cast<int>(layout.order.size())) {
            throw Error("the plan has a layout with an impossible block");
        }
    }
    return layout;
}

json member_to_json(const PlannedMember &member) {
    json parts = json::array();
    for (const PlannedPart &part : member.parts) {
        parts.push_back({{"part", part.part}, {"placement", name_of(kPlacements, part.placement)}});
    }
    json j = {{"op", member.op}, {"implementation", member.implementation}, {"parts", parts}};
    if (!member.nest.empty()) {
        j["nest"] = {{"template", member.nest.template_name},
                     {"parameters", member.nest.parameters}};
    }
    return j;
}

PlannedMember member_from_json(const json &j) {
    PlannedMember member;
    member.op = j.at("op").get<std::string>();
    member.implementation = j.at("implementation").get<std::string>();
    for (const json &part : j.at("parts")) {
        member.parts.push_back(
            {part.at("part").get<std::string>(),
             value_of(kPlacements, part.at("placement").get<std::string>(), "placement")});
    }
    if (j.contains("nest")) {
        member.nest.template_name = j.at("nest").at("template").get<std::string>();
        member.nest.parameters =
            j.at("nest").at("parameters").get<std::map<std::string, int64_t>>();
    }
    return member;
}

Plan parse(const json &j) {
    Plan plan;
    plan.policy = j.at("policy").get<std::string>();
    for (const json &v : j.at("values")) {
        plan.values.push_back({v.at("name").get<std::string>(), layout_from_json(v.at("layout")),
                               v.value("alias_of", -1)});
    }
    const int count = static_cast<int>(plan.values.size());
    for (const json &g : j.at("groups")) {
        PlannedGroup group;
        group.kind = value_of(kGroupKinds, g.at("kind").get<std::string>(), "kind of group");
        for (const json &m : g.at("members")) {
            group.members.push_back(member_from_json(m));
        }
        group.inputs = g.at("inputs").get<std::vector<int>>();
        group.output = g.at("output").get<int>();
        for (int input : group.inputs) {
            if (input < 0 || input >= count) {
                throw Error("the plan has a group that reads a value it does not list");
            }
        }
        if (group.output < -1 || group.output >= count) {
            throw Error("the plan has a group that writes a value it does not list");
        }
        plan.groups.push_back(std::move(group));
    }
    for (const json &r : j.value("refusals", json::array())) {
        plan.refusals.push_back({r.at("producer").get<std::string>(),
                                 r.at("consumer").get<std::string>(),
                                 r.at("reason").get<std::string>()});
    }
    return plan;
}

}  // namespace

int Plan::launched_groups() const {
    return static_cast<int>(std::count_if(groups.begin(), groups.end(), [](const PlannedGroup &g) {
        return g.kind != GroupKind::View;
    }));
}

std::string to_json(const Plan &plan, int indent) {
    json j = {{"policy", plan.policy},
              {"values", json::array()},
              {"groups", json::array()},
              {"refusals", json::array()}};
    for (const PlannedValue &value : plan.values) {
        json v = {{"name", value.name}, {"layout", layout_to_json(value.layout)}};
        if (value.alias_of >= 0) {
            v["alias_of"] = value.alias_of;
        }
        j["values"].push_back(v);
    }
    for (const PlannedGroup &group : plan.groups) {
        json members = json::array();
        for (const PlannedMember &member : group.members) {
            members.push_back(member_to_json(member));
        }
        j["groups"].push_back({{"kind", name_of(kGroupKinds, group.kind)},
                               {"members", members},
                               {"inputs", group.inputs},
                               {"output", group.output}});
    }
    for (const Refusal &r : plan.refusals) {
        j["refusals"].push_back(
            {{"producer", r.producer}, {"consumer", r.consumer}, {"reason", r.reason}});
    }
    return j.dump(indent, ' ', false, json::error_handler_t::replace);
}

Plan plan_from_json(const std::string &text) {
    try {
        return parse(json::parse(text));
    } catch (const json::exception &e) {
        throw Error(std::string("the plan is not valid: ") + e.what());
    }
}

}  // namespace emulsion
