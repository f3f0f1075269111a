#include "bench/explain/page_tables.h"

#include <map>
#include <vector>

#include <fmt/format.h>

#include "bench/explain/choices.h"
#include "bench/explain/markup.h"
#include "bench/explain/page_cells.h"
#include "bench/explain/reasons.h"
#include "bench/units.h"

namespace emulsion {

namespace {

// "<b>direct 0.1200 ms</b>, winograd_2x2 0.1034 ms", the one taken in bold.
std::string prices_html(const ExplainedChoice &choice) {
    std::string html;
    for (const auto &[name, ms] : choice.alone_ms) {
        const bool is_taken = name == choice.implementation;
        html += fmt::format("{}{}{} {} ms{}", html.empty() ? "" : ", ", is_taken ? "<b>" : "",
                            escape_markup(name), time_text(ms), is_taken ? "</b>" : "");
    }
    return html;
}

}  // namespace

std::string implementation_table(const Explanation &explanation) {
    if (explanation.choices.empty()) {
        return "";
    }
    std::string html = table_head("Implementations", "implementations",
                                  {{"operators", "So many of one type, with the same prices", true},
                                   {"which"},
                                   {"taken (bold), and what each takes by itself, predicted",
                                    "The price of the whole plan decides between them"}});
    for (const ChoiceKind &kind : kinds_of_choices(explanation.choices)) {
        const ExplainedChoice &first = explanation.choices[kind.choices.front()];
        html += fmt::format("<tr><td class=\"number\">{}</td><td><b>{}</b> {}", kind.choices.size(),
                            escape_markup(first.type), code(first.name));
        if (kind.choices.size() > 1) {
            html +=
                fmt::format("<details><summary>and {} more</summary><ul>", kind.choices.size() - 1);
            for (size_t i = 1; i < kind.choices.size(); i++) {
                html += "<li>" + code(explanation.choices[kind.choices[i]].name) + "</li>";
            }
            html += "</ul></details>";
        }
        html += "</td><td>" + prices_html(first) + "</td></tr>\n";
    }
    return html + kTableEnd;
}

std::string duplication_table(const Explanation &explanation) {
    if (explanation.duplications.empty()) {
        return "";
    }
    std::string html =
        table_head("Duplicated: computed where it is read", "duplications",
                   {{"ms won", "Predicted, over the plan that stores it", true}, {"operators"}});
    for (const ExplainedDuplication &duplication : explanation.duplications) {
        html += "<tr>" + number_cell(duplication.predicted_won_ms, 4) + "<td>" +
                escape_markup(describe(explanation, duplication)) + "</td></tr>\n";
    }
    return html + kTableEnd;
}

std::string reason_table(const Explanation &explanation) {
    std::string html =
        table_head("Why groups are apart", "reasons",
                   {{"edges", "", true}, {"reason; a click leaves only these below"}});
    const std::vector<Refusal> refusals = refusals_of_edges(explanation);
    const std::vector<ReasonKind> kinds = kinds_of_reasons(refusals);
    for (size_t k = 0; k < kinds.size(); k++) {
        const Refusal &example = refusals[kinds[k].refusals.front()];
        html +=
            fmt::format("<tr data-reason=\"{}\"><td class=\"number\">{}</td><td>{} {}</td></tr>\n",
                        k, kinds[k].refusals.size(), escape_markup(kinds[k].text),
                        soft(keep_end(example.producer, kLongestName) + " \u2192 " +
                             keep_end(example.consumer, kLongestName)));
    }
    return html + kTableEnd;
}

std::string edge_table(const Explanation &explanation) {
    std::string html = table_head(
        "Edges between groups", "edges",
        {{"from"}, {"to"}, {"tensor"}, {"MB", "Of its elements", true}, {"why not one group"}});
    std::map<size_t, size_t> kind_of;  // by edge between groups
    const std::vector<ReasonKind> kinds = kinds_of_reasons(refusals_of_edges(explanation));
    for (size_t k = 0; k < kinds.size(); k++) {
        for (const size_t i : kinds[k].refusals) {
            kind_of[i] = k;
        }
    }
    size_t between = 0;
    for (const ExplainedEdge &edge : explanation.edges) {
        if (!edge.between_groups()) {
            continue;
        }
        const auto name = [&](int op) {
            return code(explanation.operators[static_cast<size_t>(op)].name);
        };
        const std::string copied = edge.conversion < 0 ? ""
                                                       : " <span class=\"soft\">copied by</span> " +
                                                             link_to(explanation, edge.conversion);
        html += fmt::format(
            "<tr data-reason=\"{}\"><td>{} {}</td><td>{} {}</td><td>{} {}{}</td>{}<td>{}</td></tr>\n",
            kind_of.at(between++), link_to(explanation, edge.from), name(edge.producer),
            link_to(explanation, edge.to), name(edge.consumer), code(edge.tensor),
            soft(describe(edge.type, edge.shape)), copied, number_cell(megabytes(edge.bytes), 3),
            escape_markup(edge.reason));
    }
    return html + kTableEnd;
}

}  // namespace emulsion
