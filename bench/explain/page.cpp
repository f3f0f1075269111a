#include "bench/explain/page.h"

#include <fmt/format.h>

#include "bench/explain/markup.h"
#include "bench/explain/page_cells.h"
#include "bench/explain/page_files.h"
#include "bench/explain/page_tables.h"
#include "bench/units.h"

namespace emulsion {

namespace {

// What a browser may load on behalf of the page: nothing that is not in it.
constexpr const char *kPolicy =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

constexpr const char *kTools =
    "<div class=\"tools\"><input id=\"search\" type=\"search\" placeholder=\"Find an operator\" "
    "title=\"Part of its name, type or placement; Enter for the next\" "
    "aria-label=\"Find an operator\">"
    "<output id=\"count\"></output>"
    "<button id=\"smaller\" title=\"Smaller; the mouse wheel does it as well\">&#8722;</button>"
    "<button id=\"larger\" title=\"Larger\">+</button>"
    "<button id=\"top\" title=\"The beginning of the network\">Top</button>"
    "<button id=\"whole\" title=\"The whole network\">Whole</button></div>\n";

std::string figure(const std::string &value, const char *what) {
    return fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", what, escape_markup(value));
}

std::string summary(const Explanation &explanation) {
    std::string html = fmt::format(
        "<header>\n<h1>{} <small>policy {}, {} thread{}, for {}</small></h1>\n"
        "<dl class=\"figures\">\n",
        escape_markup(explanation.model), escape_markup(explanation.policy), explanation.threads,
        explanation.threads == 1 ? "" : "s", escape_markup(explanation.target));
    html += figure(fmt::format("{}", explanation.operator_count), "operators");
    html += figure(fmt::format("{}", explanation.launched), "groups");
    html += figure(fmt::format("{:.2f}", explanation.fusion_ratio()), "fusion ratio");
    html += figure(fmt::format("{}", explanation.units), "distinct units");
    html += figure(fmt::format("{:.3f} ms", explanation.predicted_ms), "predicted");
    if (explanation.is_measured()) {
        html += figure(fmt::format("{:.3f} ms", explanation.measured_ms), "measured");
        html += figure(ratio_text(explanation.predicted_ms, explanation.measured_ms),
                       "predicted over measured");
    }
    html += figure(fmt::format("{:.2f} MB", megabytes(explanation.bytes_moved)), "moved in a run");
    html +=
        figure(fmt::format("{:.2f} million", explanation.multiply_adds * 1e-6), "multiply-adds");
    html += figure(fmt::format("{:.2f} MB", megabytes(explanation.arena_bytes)), "arena");
    html += figure(fmt::format("{:.2f} MB", megabytes(explanation.weights_bytes)), "weights");
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

std::string picture_pane(const Picture &picture) {
    std::string html = "<section class=\"picture\">\n";
    if (!picture.svg.empty()) {
        html += kTools;
    }
    if (!picture.note.empty()) {
        html += "<p class=\"note\">" + escape_markup(picture.note) + ".</p>\n";
    }
    return html + "<div class=\"canvas\">\n" + picture.svg + "</div>\n</section>\n";
}

}  // namespace

std::string render_page(const Explanation &explanation, const Picture &picture) {
    std::string html = fmt::format("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
                                   "<meta charset=\"utf-8\">\n"
                                   "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
                                   "<meta name=\"viewport\" content=\"width=device-width\">\n"
                                   "<title>{}: what is fused with what</title>\n"
                                   "<style>\n{}</style>\n</head>\n<body>\n",
                                   kPolicy, escape_markup(explanation.model), page_style());
    html += summary(explanation) + "<main>\n" + picture_pane(picture);
    html += "<section class=\"tables\">\n" + contents(explanation) + group_table(explanation) +
            implementation_table(explanation) + duplication_table(explanation) +
            reason_table(explanation) + edge_table(explanation) + term_list() +
            "</section>\n</main>\n";
    html += fmt::format("<script>\n{}</script>\n</body>\n</html>\n", page_script());
    return html;
}

}  // namespace emulsion
