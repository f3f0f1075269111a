// The tables of an explanation's page, as HTML.
#pragma once

#include <string>

#include "bench/explain/explanation.h"

namespace emulsion {

// A row per group, with its operators, where they are computed, what it moves and what it takes, predicted and, where a
// profile is given, measured; and a last row with the sums.
std::string group_table(const Explanation &explanation);
// Operators that have several implementations, what they took and what each takes by itself; nothing where none has.
std::string implementation_table(const Explanation &explanation);
// What is duplicated and what that wins; nothing where nothing is.
std::string duplication_table(const Explanation &explanation);
// Why groups are apart: how many edges have each kind of reason, the most frequent first.
std::string reason_table(const Explanation &explanation);
// A row per edge between groups.
std::string edge_table(const Explanation &explanation);
// What the words on the page mean.
std::string term_list();

}  // namespace emulsion
