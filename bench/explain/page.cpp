#include "bench/explain/page.h"

#include <fmt/format.h>

#include "bench/explain/markup.h"
#include "bench/explain/page_cells.h"
#include "bench/explain/page_frame.h"
#include "bench/explain/page_tables.h"
#include "bench/units.h"

namespace emulsion {

namespace {

std::string summary(const Explanation &explanation) {
    std::string html = fmt::format(
        "<header>\n<h1>{} <small>policy {}, {} thread{}, for {}</small></h1>\n"
        "<dl class=\"figures\">\n",
        escape_markup(explanation.model), escape_markup(explanation.policy), explanation.threads,
        explanation.threads == 1 ? "" : "s", escape_markup(explanation.target));
    html += page_figure(fmt::format("{}", explanation.operator_count), "operators");
    html += page_figure(fmt::format("{}", explanation.launched), "groups");
    html += page_figure(fmt::format("{:.2f}", explanation.fusion_ratio()), "fusion ratio");
    html += page_figure(fmt::format("{}", explanation.units), "distinct units");
    html += page_figure(fmt::format("{:.3f} ms", explanation.predicted_ms), "predicted");
    if (explanation.is_measured()) {
        html += page_figure(fmt::format("{:.3f} ms", explanation.measured_ms), "measured");
        html += page_figure(ratio_text(explanation.predicted_ms, explanation.measured_ms),
                            "predicted over measured");
    }
    html +=
        page_figure(fmt::format("{:.2f} MB", megabytes(explanation.bytes_moved)), "moved in a run");
    html += page_figure(fmt::format("{:.2f} million", explanation.multiply_adds * 1e-6),
                        "multiply-adds");
    html += page_figure(fmt::format("{:.2f} MB", megabytes(explanation.arena_bytes)), "arena");
    html += page_figure(fmt::format("{:.2f} MB", megabytes(explanation.weights_bytes)), "weights");
    html += "</dl>\n";
    if (explanation.is_measured()) {
        html += "<p class=\"soft\">measured: the groups one by one, from " +
                code(explanation.profile) + "</p>\n";
    }
    return html + "</header>\n";
}

// To those sections that the page has.
std::string contents(const Explanation &explanation) {
    std::string html = "<nav aria-label=\"Sections\"><a href=\"#groups\">Groups</a>";
    const auto add = [&](const char *id, const char *title) {
        html += fmt::format("<a href=\"#{}\">{}</a>", id, title);
    };
    if (!explanation.choices.empty()) {
        add("implementations", "Implementations");
    }
    if (!explanation.duplications.empty()) {
        add("duplications", "Duplicated");
    }
    add("reasons", "Why apart");
    add("edges", "Edges");
    add("terms", "Terms");
    return html + "</nav>\n";
}

}  // namespace

std::string render_page(const Explanation &explanation, const Picture &picture) {
    return framed_page(explanation.model + ": what is fused with what", summary(explanation),
                       picture,
                       contents(explanation) + group_table(explanation) +
                           implementation_table(explanation) + duplication_table(explanation) +
                           reason_table(explanation) + edge_table(explanation) + term_list());
}

}  // namespace emulsion
