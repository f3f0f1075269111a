// The tables of an explanation's page, as HTML.
#pragma once

#include <string>

#include "bench/explain/explanation.h"

namespace emulsion {

// A row per group, with its operators, where they are computed, and what it moves.
std::string group_table(const Explanation &explanation);
// What is duplicated and what that wins; nothing where nothing is.
std::string duplication_table(const Explanation &explanation);
// Why groups are apart: how many edges have each reason, the most frequent first.
std::string reason_table(const Explanation &explanation);
// A row per edge between groups.
std::string edge_table(const Explanation &explanation);

}  // namespace emulsion
