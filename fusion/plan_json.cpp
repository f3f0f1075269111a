#include <algorithm>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "fusion/error.h"
#include "fusion/json_document.h"
#include "fusion/layout_json.h"
#include "fusion/placement_name.h"
#include "fusion/plan.h"
#include "fusion/strict_json.h"

namespace emulsion {

using nlohmann::json;

namespace {

template<typename Enum>
struct EnumName {
    Enum value;
    const char *name;
};

constexpr EnumName<MoveWay> kMoveWays[] = {{MoveWay::Moved, "moved"},
                                           {MoveWay::Free, "free"},
                                           {MoveWay::Read, "read"},
                                           {MoveWay::Written, "written"},
                                           {MoveWay::Converted, "converted"}};
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

void reasons_to_json(const PlannedReasons &reasons, json &member) {
    if (!reasons.why.empty()) {
        member["why"] = reasons.why;
    }
    if (!reasons.reads.empty()) {
        member["reads"] = reasons.reads;
    }
    for (const PlannedChoice &choice : reasons.choices) {
        member["choices"].push_back(
            {{"placement", placement_name(choice.placement)}, {"cycles", choice.cycles}});
    }
}

json member_to_json(const PlannedMember &member) {
    json parts = json::array();
    for (const PlannedPart &part : member.parts) {
        parts.push_back({{"part", part.part}, {"placement", placement_name(part.placement)}});
    }
    json j = {{"op", member.op},
              {"implementation", member.implementation},
              {"parts", parts},
              {"stage", member.stage}};
    if (!member.order.empty()) {
        j["order"] = member.order;
        j["cut"] = member.cut;
    }
    if (!member.nest.empty()) {
        j["nest"] = {{"template", member.nest.template_name},
                     {"parameters", member.nest.parameters}};
    }
    reasons_to_json(member.reasons, j);
    return j;
}

PlannedReasons reasons_from_json(const json &j) {
    PlannedReasons reasons;
    reasons.why = j.value("why", std::string());
    const json reads = j.value("reads", json::array()), choices = j.value("choices", json::array());
    require_list(reads);
    require_list(choices);
    for (const json &read : reads) {
        reasons.reads.push_back(read.get<std::string>());
    }
    for (const json &choice : choices) {
        reasons.choices.push_back({placement_named(choice.at("placement").get<std::string>()),
                                   number(choice.at("cycles"))});
    }
    return reasons;
}

PlannedMember member_from_json(const json &j) {
    PlannedMember member;
    member.op = j.at("op").get<std::string>();
    member.implementation = j.at("implementation").get<std::string>();
    const json parts = j.value("parts", json::array());
    require_list(parts);
    for (const json &part : parts) {
        member.parts.push_back({part.at("part").get<std::string>(),
                                placement_named(part.at("placement").get<std::string>())});
    }
    member.stage = whole<int>(j.value("stage", json(0)));
    if (member.stage < 0) {
        throw Error("the plan has a member in a stage before the first one");
    }
    if (j.contains("order")) {
        member.order = order_from_json(j.at("order"));
        member.cut = indices(j.at("cut"));
    }
    member.reasons = reasons_from_json(j);
    if (j.contains("nest")) {
        member.nest.template_name = j.at("nest").at("template").get<std::string>();
        const auto parameters = j.at("nest").at("parameters").get<std::map<std::string, json>>();
        for (const auto &[name, value] : parameters) {
            member.nest.parameters[name] = whole<int64_t>(value);
        }
    }
    return member;
}

json search_to_json(const SearchReport &report) {
    return {{"states", report.states},     {"groups", report.groups},
            {"refused", report.refused},   {"bounded", report.bounded},
            {"attached", report.attached}, {"duplication_tries", report.duplication_tries},
            {"layouts", report.layouts},   {"proven_optimal", report.proven_optimal},
            {"cycles", report.cycles}};
}

SearchReport search_from_json(const json &j) {
    return {.states = whole<int64_t>(j.at("states")),
            .groups = whole<int64_t>(j.at("groups")),
            .refused = whole<int64_t>(j.at("refused")),
            .bounded = whole<int64_t>(j.at("bounded")),
            .attached = whole<int64_t>(j.at("attached")),
            .duplication_tries = whole<int64_t>(j.at("duplication_tries")),
            .layouts = whole<int64_t>(j.at("layouts")),
            .proven_optimal = j.at("proven_optimal").get<bool>(),
            .cycles = number(j.at("cycles"))};
}

// What was decided besides the groups.
void decisions_from_json(const json &j, Plan &plan) {
    const json implementations = j.value("implementations", json::array());
    require_list(implementations);
    for (const json &each : implementations) {
        plan.implementations.push_back(
            {each.at("op").get<std::string>(), each.at("implementation").get<std::string>()});
    }
    plan.absorbs_copies = j.value("absorbs_copies", false);
    const json moves = j.value("moves", json::array());
    require_list(moves);
    for (const json &move : moves) {
        plan.moves.push_back({move.at("op").get<std::string>(),
                              value_of(kMoveWays, move.at("way").get<std::string>(), "way")});
    }
}

// Every operator of a duplication has to be a member of several groups.
std::vector<PlannedDuplication> duplications_from_json(const json &j, const Plan &plan) {
    std::map<std::string, int> groups;
    for (const PlannedGroup &group : plan.groups) {
        for (const PlannedMember &member : group.members) {
            groups[member.op]++;
        }
    }
    require_list(j);
    std::vector<PlannedDuplication> duplications;
    for (const json &d : j) {
        PlannedDuplication duplication{{}, number(d.at("cycles_won"))};
        require_list(d.at("operators"));
        for (const json &op : d.at("operators")) {
            const auto name = op.get<std::string>();
            const auto found = groups.find(name);
            if (found == groups.end()) {
                throw Error("the plan duplicates '" + name + "', which is in none of its groups");
            }
            if (found->second == 1) {
                throw Error("the plan duplicates '" + name + "', which is in one group only");
            }
            duplication.ops.push_back(name);
        }
        if (duplication.ops.empty()) {
            throw Error("the plan has a duplication of no operator");
        }
        duplications.push_back(std::move(duplication));
    }
    return duplications;
}

std::vector<PlannedCopy> copies_from_json(const json &j) {
    require_list(j);
    std::vector<PlannedCopy> copies;
    for (const json &c : j) {
        PlannedCopy copy{c.at("name").get<std::string>(), c.at("of").get<std::string>(), {}};
        require_list(c.at("readers"));
        for (const json &reader : c.at("readers")) {
            copy.readers.push_back(reader.get<std::string>());
        }
        copies.push_back(std::move(copy));
    }
    return copies;
}

Plan parse(const json &j) {
    Plan plan;
    plan.policy = j.at("policy").get<std::string>();
    const bool has_values =
        j.contains("values");  // else they follow from the groups (fusion/replay_plan.h)
    const json values = j.value("values", json::array());
    require_list(values);
    for (const json &v : values) {
        PlannedValue value{v.at("name").get<std::string>(), layout_from_json(v.at("layout"))};
        if (v.contains("alias_of")) {
            value.alias_of = whole<int>(v.at("alias_of"));
            if (value.alias_of < 0 || value.alias_of >= static_cast<int>(plan.values.size())) {
                throw Error("the plan has a value in the memory of one that does not precede it");
            }
        }
        plan.values.push_back(std::move(value));
    }
    const int count = static_cast<int>(plan.values.size());
    require_list(j.at("groups"));
    for (const json &g : j.at("groups")) {
        PlannedGroup group;
        group.kind = value_of(kGroupKinds, g.at("kind").get<std::string>(), "kind of group");
        require_list(g.at("members"));
        for (const json &m : g.at("members")) {
            group.members.push_back(member_from_json(m));
        }
        if (has_values) {
            group.inputs = indices(g.at("inputs"));
            group.output = whole<int>(g.at("output"));
        }
        for (int input : group.inputs) {
            if (input < 0 || input >= count) {
                throw Error("the plan has a group that reads a value it does not list");
            }
        }
        if (group.output < -1 || group.output >= count) {
            throw Error("the plan has a group that writes a value it does not list");
        }
        if (g.contains("cycles")) {
            group.cycles = number(g.at("cycles"));
        }
        plan.groups.push_back(std::move(group));
    }
    const json refusals = j.value("refusals", json::array());
    require_list(refusals);
    for (const json &r : refusals) {
        plan.refusals.push_back({r.at("producer").get<std::string>(),
                                 r.at("consumer").get<std::string>(),
                                 r.at("reason").get<std::string>()});
    }
    decisions_from_json(j, plan);
    if (j.contains("duplications")) {
        plan.duplications = duplications_from_json(j.at("duplications"), plan);
    }
    plan.copies = copies_from_json(j.value("copies", json::array()));
    if (j.contains("search")) {
        plan.search = search_from_json(j.at("search"));
    }
    return plan;
}

json json_of(const Plan &plan) {
    json j = {{"policy", plan.policy},
              {"values", json::array()},
              {"groups", json::array()},
              {"refusals", json::array()}};
    for (const PlannedImplementation &each : plan.implementations) {
        j["implementations"].push_back({{"op", each.op}, {"implementation", each.implementation}});
    }
    if (plan.absorbs_copies) {
        j["absorbs_copies"] = true;
    }
    for (const PlannedMove &move : plan.moves) {
        j["moves"].push_back({{"op", move.op}, {"way", name_of(kMoveWays, move.way)}});
    }
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
        if (group.cycles > 0.0) {
            j["groups"].back()["cycles"] = group.cycles;
        }
    }
    if (plan.search.states > 0) {
        j["search"] = search_to_json(plan.search);
    }
    for (const PlannedDuplication &d : plan.duplications) {
        j["duplications"].push_back({{"operators", d.ops}, {"cycles_won", d.cycles_won}});
    }
    for (const PlannedCopy &copy : plan.copies) {
        j["copies"].push_back({{"name", copy.name}, {"of", copy.of}, {"readers", copy.readers}});
    }
    for (const Refusal &r : plan.refusals) {
        j["refusals"].push_back(
            {{"producer", r.producer}, {"consumer", r.consumer}, {"reason", r.reason}});
    }
    return j;
}

// What `read` returns, where it may find that the text is no plan.
template<typename Read>
Plan valid_plan(const Read &read) {
    try {
        return read();
    } catch (const json::exception &e) {
        throw Error(std::string("the plan is not valid: ") + e.what());
    }
}

}  // namespace

std::string to_json(const Plan &plan, int indent) {
    return json_of(plan).dump(indent, ' ', false, json::error_handler_t::replace);
}

Plan plan_from_json(const std::string &text) {
    return valid_plan([&] { return parse(json::parse(text)); });
}

std::string plan_document(const Plan &plan) {
    return json_document("emulsion-plan", json_of(plan));
}

Plan plan_from_document(const std::string &text, const std::string &place) {
    const json document = read_json_document("emulsion-plan", text, place);
    return valid_plan([&] { return parse(document); });
}

}  // namespace emulsion
