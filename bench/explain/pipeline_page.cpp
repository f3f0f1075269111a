#include <fmt/format.h>

#include "bench/explain/colours.h"
#include "bench/explain/markup.h"
#include "bench/explain/page_cells.h"
#include "bench/explain/page_frame.h"
#include "bench/explain/pipeline_plan.h"

namespace emulsion {

namespace {

std::string row_of(const PipelineExplanation &explanation, const PlacedStage &stage, bool first) {
    std::string html =
        fmt::format("<tr{0} data-group=\"{1}\"><td class=\"mark\" style=\"border-left-color:{2}\">",
                    first ? fmt::format(" id=\"group-{}\"", stage.group) : "", stage.group,
                    colours_of(stage.group).line);
    if (first) {
        html += fmt::format("<a href=\"#group-{0}\" title=\"Show it in the drawing\">{0}</a>",
                            stage.group);
    }
    html += "</td><td>" + code(stage.name) + "</td><td>" + escape_markup(stage.where) + "</td><td>";
    for (const auto &[place, cost] : stage.otherwise) {
        html += escape_markup(place) + " " + cost_text(cost) + "<br>";
    }
    html += soft(stage.why) + "</td>";
    return html +
           (first ? number_cell(100.0 * explanation.share(stage.group), 1)
                  : std::string("<td></td>")) +
           "</tr>\n";
}

std::string stage_table(const PipelineExplanation &explanation) {
    std::string html =
        table_head("Stages, in the order of the plan", "groups",
                   {{"group", "Stages that one loop nest computes together; the last is stored"},
                    {"stage"},
                    {"where it is computed"},
                    {"otherwise",
                     "Other places: predicted time of the groups concerned over that of the place "
                     "taken; or why there was nothing to choose"},
                    {"share in %", "Of the predicted time, of the whole group", true}});
    int last = -1;
    for (const PlacedStage &stage : explanation.stages) {
        html += row_of(explanation, stage, stage.group != last);
        last = stage.group;
    }
    return html + kTableEnd;
}

}  // namespace

std::string pipeline_page(const PipelineExplanation &explanation, const Picture &picture) {
    const std::string header = fmt::format(
        "<header>\n<h1>{} <small>policy {}</small></h1>\n<dl class=\"figures\">\n{}{}</dl>\n"
        "</header>\n",
        escape_markup(explanation.file), escape_markup(explanation.plan.policy),
        page_figure(fmt::format("{}", explanation.stages.size()), "stages"),
        page_figure(fmt::format("{}", explanation.groups()), "groups"));
    return framed_page(explanation.file + ": where stages are computed", header, picture,
                       stage_table(explanation));
}

}  // namespace emulsion
