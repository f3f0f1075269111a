#include "fusion/image/decisions_json.h"

#include <nlohmann/json.hpp>

#include "fusion/error.h"
#include "fusion/placement_name.h"

namespace emulsion {

using Json = nlohmann::ordered_json;

namespace {

bool fits(const ImageGroup &group, const ImageGraph &graph) {
    const auto is_stage = [&](int i) {
        return i >= 0 && i < static_cast<int>(graph.stages.size());
    };
    if (!is_stage(group.root)) {
        return false;
    }
    for (const int member : group.members) {
        if (!is_stage(member)) {
            return false;
        }
    }
    const ImageStage &root = graph.stages[static_cast<size_t>(group.root)];
    return group.shape.block.size() == root.extents.size() &&
           group.shape.slide_axis < static_cast<int>(root.extents.size()) &&
           group.shape.host >= 0 &&
           (root.definitions.empty() ||
            group.shape.host < static_cast<int>(root.definitions.size()));
}

ImageGroup group_from_json(const Json &json) {
    const Json &shape = json.at("shape");
    return {json.at("root").get<int>(),
            json.at("members").get<std::vector<int>>(),
            {shape.at("block").get<std::vector<int64_t>>(), shape.at("slide_axis").get<int>(),
             shape.at("host").get<int>(), shape.at("sweep").get<bool>()},
            0.0};
}

}  // namespace

Json decisions_to_json(const ImageDecisions &decisions) {
    Json placements = Json::array(), groups = Json::array();
    for (const auto &placement : decisions.placements) {
        placements.push_back(placement_name(placement.value_or(Placement::Root)));
    }
    for (const ImageGroup &group : decisions.groups) {
        groups.push_back({{"root", group.root},
                          {"members", group.members},
                          {"shape",
                           {{"block", group.shape.block},
                            {"slide_axis", group.shape.slide_axis},
                            {"host", group.shape.host},
                            {"sweep", group.shape.sweep}}}});
    }
    return {{"placements", placements}, {"groups", groups}};
}

ImageDecisions decisions_from_json(const Json &json, const ImageGraph &graph) {
    ImageDecisions decisions;
    for (const Json &placement : json.at("placements")) {
        decisions.placements.emplace_back(placement_named(placement.get<std::string>()));
    }
    bool all_fit = decisions.placements.size() == graph.stages.size();
    for (const Json &group : json.at("groups")) {
        decisions.groups.push_back(group_from_json(group));
        all_fit = all_fit && fits(decisions.groups.back(), graph);
    }
    if (!all_fit) {
        throw Error("these decisions are about another pipeline: measure it again");
    }
    decisions.choices.resize(graph.stages.size());
    return decisions;
}

}  // namespace emulsion
