#include <cmath>

#include <fmt/format.h>

#include "bench/explain/colours.h"
#include "bench/explain/markup.h"
#include "bench/explain/page_cells.h"
#include "bench/explain/page_tables.h"
#include "bench/units.h"

namespace emulsion {

namespace {

// Predictions that are off by this factor, either way, stand out.
constexpr double kFarOff = 1.5;

constexpr const char *kPredictedHint =
    "Milliseconds by the cost model; the bar is the share of all";
constexpr const char *kMeasuredHint =
    "Milliseconds of the group in runs of the whole network: the median of the profile";
constexpr const char *kRatioHint = "Predicted over measured: below 1, it is slower than predicted";

std::string member_line(const Explanation &explanation, const ExplainedGroup &group, int member) {
    const ExplainedOperator &op = explanation.operators[static_cast<size_t>(member)];
    std::string about = op.mapping + ", " + op.implementation;
    if (const std::string places = describe_placement(group, member); !places.empty()) {
        about += "; " + places;
    }
    return fmt::format("<li><b>{}</b> {} {}</li>", escape_markup(op.type), code(op.name),
                       soft(about));
}

std::string tensor_line(const char *what, const ExplainedTensor &tensor) {
    return fmt::format("<li>{} {} {}</li>", what, code(tensor.name),
                       soft(describe(tensor.type, tensor.shape) + ", " + tensor.storage + ", " +
                            describe(tensor.layout)));
}

// "convolution; reads 0.651 MB, writes 1.606 MB, 67.64 M multiply-adds".
std::string work_text(const ExplainedGroup &group) {
    if (!group.launched()) {
        return group.kind;
    }
    std::string text =
        fmt::format("{}; reads {:.3f} MB, writes {:.3f} MB", group.what(),
                    megabytes(group.work.bytes_read), megabytes(group.work.bytes_written));
    if (group.work.multiply_adds > 0.0) {
        text += fmt::format(", {:.2f} M multiply-adds", group.work.multiply_adds * 1e-6);
    }
    return text;
}

// What it takes of `all`, which is drawn as a bar.
std::string time_cell(double ms, double all) {
    return ms > 0.0 && all > 0.0
               ? fmt::format("<td class=\"number time\" style=\"--share:{:.1f}%\">{}</td>",
                             100.0 * ms / all, time_text(ms))
               : "<td class=\"number\">-</td>";
}

std::string ratio_cell(double predicted, double measured) {
    const bool known = predicted > 0.0 && measured > 0.0;
    const bool far_off = known && std::abs(std::log(predicted / measured)) > std::log(kFarOff);
    return fmt::format("<td class=\"number{}\">{}</td>", far_off ? " far" : "",
                       ratio_text(predicted, measured));
}

std::string time_cells(const Explanation &explanation, double predicted, double measured) {
    std::string html = time_cell(predicted, explanation.predicted_ms);
    if (explanation.is_measured()) {
        html += time_cell(measured, explanation.measured_ms) + ratio_cell(predicted, measured);
    }
    return html;
}

std::string group_row(const Explanation &explanation, int index) {
    const ExplainedGroup &group = explanation.groups[static_cast<size_t>(index)];
    std::string html = fmt::format(
        "<tr id=\"group-{0}\" data-group=\"{0}\"><td class=\"mark\" style=\"border-left-color:{1}\">"
        "<a href=\"#group-{0}\" title=\"Show it in the drawing\">{2}</a></td><td><ul>",
        index, colours_of(index).line, group.number());
    for (const int member : group.members) {
        html += member_line(explanation, group, member);
    }
    html += "</ul><details><summary>" + escape_markup(work_text(group)) + "</summary><ul>";
    for (const ExplainedNest &nest : group.nests) {
        if (!nest.nest.empty()) {
            html += "<li>loop nest " + soft(describe(nest.nest)) + "</li>";
        }
    }
    for (const ExplainedTensor &input : group.inputs) {
        html += tensor_line("reads", input);
    }
    html += tensor_line("writes", group.output) + "</ul></details></td>";
    return html + time_cells(explanation, group.predicted_ms, group.measured_ms) + "</tr>\n";
}

}  // namespace

std::string group_table(const Explanation &explanation) {
    constexpr const char *kTitle = "Groups, in execution order";
    const TableHeading group{"group", "Number of the kernel in a run, or view"};
    const TableHeading what{"what it computes, and where"};
    const TableHeading predicted{"predicted ms", kPredictedHint, true};
    std::string html = explanation.is_measured()
                           ? table_head(kTitle, "groups",
                                        {group,
                                         what,
                                         predicted,
                                         {"measured ms", kMeasuredHint, true},
                                         {"ratio", kRatioHint, true}})
                           : table_head(kTitle, "groups", {group, what, predicted});
    for (size_t g = 0; g < explanation.groups.size(); g++) {
        html += group_row(explanation, static_cast<int>(g));
    }
    html += fmt::format("</tbody>\n<tfoot><tr><td></td><th scope=\"row\">all groups that launch a "
                        "kernel: {}</th>{}</tr></tfoot>\n</table>\n",
                        explanation.launched,
                        time_cells(explanation, explanation.predicted_ms, explanation.measured_ms));
    return html;
}

}  // namespace emulsion
