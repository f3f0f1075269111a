#include "bench/explain/page_cells.h"

#include <fmt/format.h>

#include "bench/explain/markup.h"

namespace emulsion {

std::string table_head(const char *title, const char *style,
                       std::initializer_list<TableHeading> headings) {
    std::string html =
        fmt::format("<h2 id=\"{0}\">{1}</h2>\n<table class=\"{0}\">\n<thead><tr>", style, title);
    for (const TableHeading &heading : headings) {
        html += heading.is_number ? "<th scope=\"col\" class=\"number\"" : "<th scope=\"col\"";
        html += *heading.hint == '\0' ? "" : fmt::format(" title=\"{}\"", heading.hint);
        html += fmt::format(">{}</th>", heading.text);
    }
    return html + "</tr></thead>\n<tbody>\n";
}

std::string code(const std::string &name) {
    return count_characters(name) <= kLongestName
               ? "<code>" + escape_markup(name) + "</code>"
               : fmt::format("<code title=\"{}\">{}</code>", escape_markup(name),
                             escape_markup(keep_end(name, kLongestName)));
}

std::string soft(const std::string &text) {
    return "<span class=\"soft\">" + escape_markup(text) + "</span>";
}

std::string number_cell(double value, int digits) {
    return value == 0.0 ? "<td class=\"number\">-</td>"
                        : fmt::format("<td class=\"number\">{:.{}f}</td>", value, digits);
}

std::string link_to(const Explanation &explanation, int group) {
    return fmt::format("<a href=\"#group-{0}\" data-to=\"{0}\">{1}</a>", group,
                       explanation.groups[static_cast<size_t>(group)].number());
}

}  // namespace emulsion
