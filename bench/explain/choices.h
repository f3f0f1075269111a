// Which implementations operators took, by kind.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "bench/explain/explanation.h"

namespace emulsion {

// Operators of one type that took the same of the same implementations, at the same prices.
struct ChoiceKind {
    std::vector<size_t> choices;  // of those that were asked about, in their order; never empty
};

// In the order of their first ones.
std::vector<ChoiceKind> kinds_of_choices(const std::vector<ExplainedChoice> &choices);

// "direct 0.1200 ms, winograd_2x2 0.1034 ms".
std::string prices_text(const ExplainedChoice &choice);

}  // namespace emulsion
