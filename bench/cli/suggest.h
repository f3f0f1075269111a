// "Did you mean ...?" for a word that is not known.
#pragma once

#include <span>
#include <string>

namespace emulsion {

// The word of `known` that is `word` with the fewest letters changed, added or left out; "" where
// none is close.
std::string closest(const std::string &word, std::span<const std::string> known);

}  // namespace emulsion
