#include "fusion/image/decisions_json.h"

#include <set>
#include <string>

#include <nlohmann/json.hpp>

#include "fusion/error.h"
#include "fusion/image/insert_copy.h"
#include "fusion/image/stage_facts.h"
#include "fusion/placement_name.h"

namespace emulsion {

using Json = nlohmann::ordered_json;

namespace {

constexpr const char *kOfAnother = "these decisions are about another pipeline: measure it again";

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
             shape.at("host").get<int>(), shape.at("sweep").get<bool>(),
             shape.at("share").get<int64_t>()},
            0.0};
}

// Readers count as if the copy weren't there, nor those before it.
Json copies_to_json(const ImageGraph &graph) {
    Json copies = Json::array();
    int before = 0;
    for (int i = 0; i < static_cast<int>(graph.stages.size()); i++) {
        if (graph.stages[static_cast<size_t>(i)].copy_of.empty()) {
            continue;
        }
        before++;
        Json readers = Json::array();
        for (int reader = i + 1; reader < static_cast<int>(graph.stages.size()); reader++) {
            if (reads(graph.stages[static_cast<size_t>(reader)], i)) {
                readers.push_back(reader - before);
            }
        }
        copies.push_back({{"stage", i - before}, {"readers", readers}});
    }
    return copies;
}

// The last one first: then those before are not there yet.
void copy_stages(const Json &copies, ImageGraph &graph) {
    for (auto copy = copies.rbegin(); copy != copies.rend(); ++copy) {
        const int stage = copy->at("stage").get<int>();
        const auto readers = copy->at("readers").get<std::set<int>>();
        const int stages = static_cast<int>(graph.stages.size());
        if (stage < 0 || readers.empty() || *readers.begin() <= stage ||
            *readers.rbegin() >= stages) {
            throw Error(kOfAnother);
        }
        const std::string reader = graph.stages[static_cast<size_t>(*readers.begin())].name;
        insert_copy(graph, stage, readers, reader);
    }
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
                            {"sweep", group.shape.sweep},
                            {"share", group.shape.share}}}});
    }
    return {{"copies", copies_to_json(decisions.graph)},
            {"placements", placements},
            {"groups", groups}};
}

ImageDecisions decisions_from_json(const Json &json, const ImageGraph &graph) {
    ImageDecisions decisions;
    decisions.graph = graph;
    copy_stages(json.at("copies"), decisions.graph);
    for (const Json &placement : json.at("placements")) {
        decisions.placements.emplace_back(placement_named(placement.get<std::string>()));
    }
    bool all_fit = decisions.placements.size() == decisions.graph.stages.size();
    for (const Json &group : json.at("groups")) {
        decisions.groups.push_back(group_from_json(group));
        all_fit = all_fit && fits(decisions.groups.back(), decisions.graph);
    }
    if (!all_fit) {
        throw Error(kOfAnother);
    }
    decisions.choices.resize(decisions.graph.stages.size());
    return decisions;
}

}  // namespace emulsion
