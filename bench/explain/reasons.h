// How often groups are apart for which reason.
#pragma once

#include <string>
#include <vector>

#include "bench/explain/explanation.h"

namespace emulsion {

struct ReasonCount {
    std::string reason;
    int edges = 0;
};

// The reasons of the edges between groups, the most frequent first; equally frequent ones by text.
std::vector<ReasonCount> count_reasons(const Explanation &explanation);

}  // namespace emulsion
