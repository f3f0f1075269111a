// Division of counts, rounded up.
#pragma once

#include <cstdint>

namespace emulsion {

// How many parts of `b` elements `a` elements take; a >= 0, b > 0.
constexpr int64_t ceil_div(int64_t a, int64_t b) { return a / b + (a % b != 0 ? 1 : 0); }

}  // namespace emulsion
