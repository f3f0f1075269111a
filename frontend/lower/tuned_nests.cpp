#include "frontend/lower/tuned_nests.h"

#include <nlohmann/json.hpp>

#include "frontend/lower/network.h"
#include "frontend/lower/network_plan.h"
#include "frontend/lower/problem_key.h"
#include "frontend/lower/set_nests.h"
#include "fusion/error.h"
#include "fusion/group_nests.h"
#include "fusion/json_document.h"

namespace emulsion {

namespace {

using nlohmann::ordered_json;

// The value of a key, of that type. Throws Error.
const ordered_json &member(const ordered_json &object, const char *key,
                           bool (ordered_json::*is)() const noexcept, const char *what) {
    const auto found = object.find(key);
    if (found == object.end() || !((*found).*is)()) {
        throw Error(std::string("'") + key + "' is no " + what);
    }
    return *found;
}

std::string text_of(const ordered_json &object, const char *key) {
    return member(object, key, &ordered_json::is_string, "text").get<std::string>();
}

TunedNest nest_from(const ordered_json &json) {
    TunedNest tuned;
    tuned.label = text_of(json, "label");
    tuned.nest.template_name = text_of(json, "template");
    tuned.ratio = member(json, "ratio", &ordered_json::is_number, "number").get<double>();
    for (const auto &[name, value] :
         member(json, "parameters", &ordered_json::is_object, "object").items()) {
        if (!value.is_number_integer() ||
            (value.is_number_unsigned() && value.get<int64_t>() < 0)) {
            throw Error("parameter '" + name + "' is no whole number of 64 bits");
        }
        tuned.nest.parameters[name] = value.get<int64_t>();
    }
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
        tuned.target = text_of(json, "target");
        tuned.machine = text_of(json, "machine");
        const ordered_json &threads =
            member(json, "threads", &ordered_json::is_number_unsigned, "whole number");
        if (threads.get<uint64_t>() < 1 || threads.get<uint64_t>() > kMostThreads) {
            throw Error("'threads' is " + threads.dump() + ", accepted are 1 to " +
                        std::to_string(kMostThreads));
        }
        tuned.threads = threads.get<int>();
        for (const ordered_json &each : member(json, "nests", &ordered_json::is_array, "list")) {
            if (!each.is_object()) {
                throw Error("'nests' has " + each.dump() + " where an object belongs");
            }
            if (!tuned.nests.emplace(text_of(each, "problem"), nest_from(each)).second) {
                throw Error("'nests' has problem " + text_of(each, "problem") + " twice");
            }
        }
        if (json.contains("plan")) {
            const ordered_json &plan = member(json, "plan", &ordered_json::is_object, "object");
            tuned.plan = {
                text_of(plan, "structure"),
                plan_from_json(member(plan, "plan", &ordered_json::is_object, "object").dump())};
        }
        return tuned;
    });
}

void take_tuned(PlannedNetwork &network, const TunedNests &tuned) {
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
        network.tuned_groups++;
    }
    follow_nests(network);
}

}  // namespace emulsion
