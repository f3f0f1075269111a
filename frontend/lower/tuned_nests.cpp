#include "frontend/lower/tuned_nests.h"

#include <nlohmann/json.hpp>

#include "frontend/lower/network.h"
#include "frontend/lower/network_plan.h"
#include "frontend/lower/problem_key.h"
#include "frontend/lower/set_nests.h"
#include "fusion/error.h"
#include "fusion/group_nests.h"
#include "fusion/json_document.h"
#include "fusion/json_members.h"

namespace emulsion {

namespace {

using nlohmann::ordered_json;

TunedNest nest_from(const ordered_json &json) {
    TunedNest tuned;
    tuned.label = text_member(json, "label");
    tuned.nest = {text_member(json, "template"), whole_members(object_member(json, "parameters"))};
    tuned.ratio = number_member(json, "ratio");
    return tuned;
}

}  // namespace

std::string to_json(const TunedNests &tuned) {
    ordered_json nests = ordered_json::array();
    for (const auto &[problem, each] : tuned.nests) {
        nests.push_back({{"problem", problem},
                         {"label", each.label},
                         {"template", each.nest.template_name},
                         {"parameters", each.nest.parameters},
                         {"ratio", each.ratio}});
    }
    ordered_json json = {{"target", tuned.target},
                         {"threads", tuned.threads},
                         {"machine", tuned.machine},
                         {"nests", nests}};
    if (tuned.plan) {
        json["plan"] = {{"structure", tuned.plan->structure},
                        {"plan", ordered_json::parse(to_json(tuned.plan->plan))}};
    }
    return json_document("emulsion-tuned", json);
}

TunedNests tuned_from_json(const std::string &text, const std::string &file) {
    return naming_file(file, [&] {
        const ordered_json json = read_json_document("emulsion-tuned", text, file);
        TunedNests tuned;
        tuned.file = file;
        tuned.target = text_member(json, "target");
        tuned.machine = text_member(json, "machine");
        tuned.threads = static_cast<int>(count_member(json, "threads", 1, kMostThreads));
        for (const ordered_json &each : list_member(json, "nests")) {
            if (!each.is_object()) {
                throw Error("'nests' has " + each.dump() + " where an object belongs");
            }
            if (!tuned.nests.emplace(text_member(each, "problem"), nest_from(each)).second) {
                throw Error("'nests' has problem " + text_member(each, "problem") + " twice");
            }
        }
        if (json.contains("plan")) {
            const ordered_json &plan = object_member(json, "plan");
            tuned.plan = {text_member(plan, "structure"),
                          plan_from_json(object_member(plan, "plan").dump())};
        }
        return tuned;
    });
}

int take_tuned(PlannedNetwork &network, const TunedNests &tuned) {
    int groups = 0;
    const std::vector<size_t> launched = network.launched_groups();
    for (size_t i = 0; i < launched.size(); i++) {
        const auto found = tuned.nests.find(problem_key(network.launches[i].unit));
        if (found == tuned.nests.end()) {
            continue;
        }
        PlannedGroup &group = network.plan.groups[launched[i]];
        const auto &[label, nest, ratio] = found->second;
        const NestSpace space = group_space(network.operators_of(group), group);
        if (const std::string refusal = space.is_valid(nest); !refusal.empty()) {
            throw Error(std::string("of group '").append(label).append("', ").append(refusal),
                        {.file = tuned.file});
        }
        set_group_nest(group, nest);
        group.cycles *= ratio;
        groups++;
    }
    follow_nests(network);
    return groups;
}

}  // namespace emulsion
