// What the tables of an explanation's page are put together from.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "bench/explain/explanation.h"

namespace emulsion {

// Names of more characters are shortened to so many; the whole one is under the pointer.
constexpr size_t kLongestName = 96;

struct TableHeading {
    const char *text;
    const char *hint = "";   // shown under the pointer
    bool is_number = false;  // of a column of numbers
};

// A section's heading, which links lead to, and the beginning of its table.
std::string table_head(const char *title, const char *style,
                       std::initializer_list<TableHeading> headings);
constexpr const char *kTableEnd = "</tbody>\n</table>\n";

// A name of the model.
std::string code(const std::string &name);
std::string soft(const std::string &text);
// "-" for 0.
std::string number_cell(double value, int digits);
// To the row of a group.
std::string link_to(const Explanation &explanation, int group);

}  // namespace emulsion
