// How much code loops that are unrolled may have.
#pragma once

#include <cstdint>

namespace emulsion {

// Elements that are computed side by side, and those of transposed blocks that are: compilers need minutes for more.
constexpr int64_t kMostSideBySide = 512, kMostTransposed = 1024;

// Rows, and columns, of the transposed blocks of elements of so many bytes that are computed fastest: of wider vectors
// come more shuffles than loads.
constexpr int64_t best_transposed_rows(int element_bytes) { return element_bytes > 2 ? 8 : 16; }

}  // namespace emulsion
