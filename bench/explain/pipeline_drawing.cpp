#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "bench/explain/lay_out.h"
#include "bench/explain/markup.h"
#include "bench/explain/pipeline_plan.h"

namespace emulsion {

namespace {

constexpr size_t kMostStages = 3000;  // nobody finds anything in a picture of more
constexpr int kSeconds = 20;          // of processor time for Graphviz
constexpr size_t kLongestStage = 34;
constexpr double kStageHeight = 34.0, kStageMargin = 16.0, kLeastStage = 120.0;

DrawnNode node_of(const PlacedStage &stage, int index) {
    DrawnNode node{.title = keep_end(stage.name, kLongestStage),
                   .corner = "",
                   .subtitle = stage.place,
                   .hint = stage.name + "\n" + sentence(stage),
                   .group = stage.group,
                   .op = index};
    node.width = std::max(text_width(node.title) * 1.15, kLeastStage) + kStageMargin;
    node.height = kStageHeight;
    return node;
}

Drawing drawing_of(const PipelineExplanation &explanation) {
    Drawing drawing;
    std::map<std::string, int> nodes;
    for (const PlacedStage &stage : explanation.stages) {
        const int index = static_cast<int>(drawing.nodes.size());
        nodes[stage.name] = index;
        if (drawing.groups.empty() || drawing.groups.back().index != stage.group) {
            drawing.groups.push_back(
                {.index = stage.group,
                 .caption = fmt::format("group {}", stage.group),
                 .hint = fmt::format("group {}: {:.1f} % of the predicted time", stage.group,
                                     100.0 * explanation.share(stage.group))});
        }
        drawing.nodes.push_back(node_of(stage, index));
    }
    for (const PlannedGroup &group : explanation.plan.groups) {
        for (const PlannedMember &member : group.members) {
            for (const std::string &read : member.reasons.reads) {
                const auto from = nodes.find(read), to = nodes.find(member.op);
                if (from == nodes.end() || to == nodes.end()) {
                    continue;
                }
                DrawnEdge edge{.from = from->second, .to = to->second};
                edge.hint = member.op + " reads " + read;
                edge.within_group = explanation.stages[static_cast<size_t>(edge.from)].group ==
                                    explanation.stages[static_cast<size_t>(edge.to)].group;
                drawing.edges.push_back(std::move(edge));
            }
        }
    }
    return drawing;
}

}  // namespace

Picture draw_pipeline(const PipelineExplanation &explanation) {
    Drawing drawing = drawing_of(explanation);
    if (drawing.nodes.size() > kMostStages || !lay_out(drawing, kSeconds)) {
        return {.svg = "",
                .note = fmt::format("{} stages are too many for a drawing", drawing.nodes.size())};
    }
    return {.svg = render_svg(drawing), .note = ""};
}

}  // namespace emulsion
