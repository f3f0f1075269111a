#include "bench/explain/pipeline_plan.h"

#include <algorithm>
#include <fstream>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bench/explain/markup.h"
#include "bench/user_files.h"
#include "fusion/error.h"

namespace emulsion {

namespace {

constexpr size_t kWidestName = 40;

std::string share_text(double share) {
    return share > 0.0 ? fmt::format("{:.1f} %", 100.0 * share) : "-";
}

// "stored 1.40x, inlined 2.10x", or why there was nothing to choose.
std::string otherwise_text(const PlacedStage &stage) {
    std::string text;
    for (const auto &[place, ratio] : stage.otherwise) {
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", place, cost_text(ratio));
    }
    return text.empty() ? stage.why : text;
}

}  // namespace

double PipelineExplanation::share(int group) const {
    const double all = plan.predicted_cycles();
    return all > 0.0 ? plan.groups[static_cast<size_t>(group)].cycles / all : 0.0;
}

int PipelineExplanation::groups() const {
    std::set<int> computed;
    for (const PlacedStage &stage : stages) {
        computed.insert(stage.group);
    }
    return static_cast<int>(computed.size());
}

bool is_json_file(const std::string &file) {
    std::ifstream in(file, std::ios::binary);
    return (in >> std::ws).peek() == '{';
}

PipelineExplanation explain_pipeline(const std::string &file) {
    PipelineExplanation explanation{.file = file, .plan = {}, .stages = {}};
    explanation.plan =
        naming_file(file, [&] { return plan_from_document(read_user_file(file), file); });
    explanation.stages = placed_stages(explanation.plan);
    if (explanation.stages.empty()) {
        throw Error("is a plan of no stages: write one with autoscheduler.plan_out=FILE",
                    {.file = file});
    }
    return explanation;
}

std::string pipeline_text(const PipelineExplanation &explanation) {
    size_t name = 5, where = 5;
    for (const PlacedStage &stage : explanation.stages) {
        name = std::max(name, count_characters(keep_end(stage.name, kWidestName)));
        where = std::max(where, count_characters(stage.where));
    }
    const auto pad = [](const std::string &text, size_t width) {
        return text + std::string(width - std::min(width, count_characters(text)), ' ');
    };
    std::string text = fmt::format(
        "{}: policy {}, {} stage{} in {} group{}\n\ngroup    share  {}  {}  otherwise\n",
        explanation.file, explanation.plan.policy, explanation.stages.size(),
        explanation.stages.size() == 1 ? "" : "s", explanation.groups(),
        explanation.groups() == 1 ? "" : "s", pad("stage", name), pad("where", where));
    int last = -1;
    for (const PlacedStage &stage : explanation.stages) {
        const bool first = stage.group != last;
        last = stage.group;
        text += fmt::format("{:>5}  {:>7}  {}  {}  {}\n", first ? std::to_string(stage.group) : "",
                            first ? share_text(explanation.share(stage.group)) : "",
                            pad(keep_end(stage.name, kWidestName), name), pad(stage.where, where),
                            otherwise_text(stage));
    }
    return text +
           "\nshare: of the predicted time. otherwise: predicted time of the groups concerned, "
           "over that of the place taken.\n";
}

nlohmann::ordered_json pipeline_json(const PipelineExplanation &explanation) {
    nlohmann::ordered_json json = {{"plan", explanation.file},
                                   {"policy", explanation.plan.policy},
                                   {"stages", nlohmann::ordered_json::array()}};
    for (const PlacedStage &stage : explanation.stages) {
        auto otherwise = nlohmann::ordered_json::array();
        for (const auto &[place, ratio] : stage.otherwise) {
            otherwise.push_back({{"place", place}, {"cost", ratio}});
        }
        json["stages"].push_back({{"name", stage.name},
                                  {"group", stage.group},
                                  {"group_share", explanation.share(stage.group)},
                                  {"place", stage.place},
                                  {"where", stage.where},
                                  {"why", stage.why},
                                  {"otherwise", otherwise}});
    }
    return json;
}

}  // namespace emulsion
