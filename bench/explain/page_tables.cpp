#include "bench/explain/page_tables.h"

#include <map>

#include <fmt/format.h>

#include "bench/explain/colours.h"
#include "bench/explain/markup.h"
#include "bench/explain/reasons.h"
#include "bench/units.h"

namespace emulsion {

namespace {

// `headings`: "number:read MB" for a column of numbers.
std::string table_head(const char *title, const char *style,
                       std::initializer_list<std::string_view> headings) {
    constexpr std::string_view kNumber = "number:";
    std::string html = fmt::format("<h2>{}</h2>\n<table class=\"{}\">\n<thead><tr>", title, style);
    for (const std::string_view heading : headings) {
        html += heading.starts_with(kNumber)
                    ? fmt::format("<th class=\"number\">{}</th>", heading.substr(kNumber.size()))
                    : fmt::format("<th>{}</th>", heading);
    }
    return html + "</tr></thead>\n<tbody>\n";
}

std::string code(const std::string &name) { return "<code>" + escape_markup(name) + "</code>"; }

std::string soft(const std::string &text) {
    return "<span class=\"soft\">" + escape_markup(text) + "</span>";
}

std::string number_cell(double value, int digits) {
    return value == 0.0 ? "<td class=\"number\">-</td>"
                        : fmt::format("<td class=\"number\">{:.{}f}</td>", value, digits);
}

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

std::string group_row(const Explanation &explanation, int index) {
    const ExplainedGroup &group = explanation.groups[static_cast<size_t>(index)];
    std::string html = fmt::format(
        "<tr id=\"group-{0}\" data-group=\"{0}\"><td class=\"mark\" style=\"border-left-color:{1}\">{2}"
        "</td><td><ul>",
        index, colours_of(index).line, group.number());
    for (const int member : group.members) {
        html += member_line(explanation, group, member);
    }
    html += "</ul><details><summary>" + escape_markup(group.what()) + "</summary><ul>";
    for (const ExplainedNest &nest : group.nests) {
        if (!nest.nest.empty()) {
            html += "<li>loop nest " + soft(describe(nest.nest)) + "</li>";
        }
    }
    for (const ExplainedTensor &input : group.inputs) {
        html += tensor_line("reads", input);
    }
    html += tensor_line("writes", group.output) + "</ul></details></td>";
    html += number_cell(megabytes(group.work.bytes_read), 3) +
            number_cell(megabytes(group.work.bytes_written), 3) +
            number_cell(group.work.multiply_adds * 1e-6, 2);
    return html + "</tr>\n";
}

std::string link(const Explanation &explanation, int group) {
    return fmt::format("<a href=\"#group-{0}\" data-to=\"{0}\">{1}</a>", group,
                       explanation.groups[static_cast<size_t>(group)].number());
}

}  // namespace

std::string group_table(const Explanation &explanation) {
    std::string html = table_head("Groups, in execution order", "groups",
                                  {"group", "what it computes, and where", "number:read MB",
                                   "number:written MB", "number:M mul-adds"});
    for (size_t g = 0; g < explanation.groups.size(); g++) {
        html += group_row(explanation, static_cast<int>(g));
    }
    return html + "</tbody>\n</table>\n";
}

std::string duplication_table(const Explanation &explanation) {
    if (explanation.duplications.empty()) {
        return "";
    }
    std::string html = table_head("Duplicated: computed where it is read", "duplications",
                                  {"number:ms won, predicted", "operators"});
    for (const ExplainedDuplication &duplication : explanation.duplications) {
        html += "<tr>" + number_cell(duplication.predicted_won_ms, 4) + "<td>" +
                escape_markup(describe(explanation, duplication)) + "</td></tr>\n";
    }
    return html + "</tbody>\n</table>\n";
}

std::string reason_table(const Explanation &explanation) {
    std::string html = table_head("Why groups are apart", "reasons",
                                  {"number:edges", "reason; a click leaves only these below"});
    const std::vector<Refusal> refusals = refusals_of_edges(explanation);
    const std::vector<ReasonKind> kinds = kinds_of_reasons(refusals);
    for (size_t k = 0; k < kinds.size(); k++) {
        const Refusal &example = refusals[kinds[k].refusals.front()];
        html +=
            fmt::format("<tr data-reason=\"{}\"><td class=\"number\">{}</td><td>{} {}</td></tr>\n",
                        k, kinds[k].refusals.size(), escape_markup(kinds[k].text),
                        soft(example.producer + " \u2192 " + example.consumer));
    }
    return html + "</tbody>\n</table>\n";
}

std::string edge_table(const Explanation &explanation) {
    std::string html = table_head("Edges between groups", "edges",
                                  {"from", "to", "tensor", "number:MB", "why not one group"});
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
                                                             link(explanation, edge.conversion);
        html += fmt::format(
            "<tr data-reason=\"{}\"><td>{} {}</td><td>{} {}</td><td>{} {}{}</td>{}<td>{}</td></tr>\n",
            kind_of.at(between++), link(explanation, edge.from), name(edge.producer),
            link(explanation, edge.to), name(edge.consumer), code(edge.tensor),
            soft(describe(edge.type, edge.shape)), copied, number_cell(megabytes(edge.bytes), 3),
            escape_markup(edge.reason));
    }
    return html + "</tbody>\n</table>\n";
}

}  // namespace emulsion
