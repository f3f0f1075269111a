// How often neighbours are apart for which kind of reason.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "bench/explain/explanation.h"

namespace emulsion {

// Reasons that differ in names and numbers only.
struct ReasonKind {
    std::string text;              // with the range of each number: "... take 9 to 114 % longer"
    std::vector<size_t> refusals;  // of those that were asked about, in their order; never empty
};

// The kinds of the reasons of `refusals`, the most frequent first; equally frequent ones by the text that they share.
std::vector<ReasonKind> kinds_of_reasons(const std::vector<Refusal> &refusals);

// The edges between groups, as refusals: producers, consumers and reasons, in the order of the edges.
std::vector<Refusal> refusals_of_edges(const Explanation &explanation);

}  // namespace emulsion
