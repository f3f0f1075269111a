// How much code loops that are unrolled may have.
#pragma once

#include <cstdint>

namespace emulsion {

// Elements that are computed side by side, and those of transposed blocks that are: compilers need minutes for more.
constexpr int64_t kMostSideBySide = 512, kMostTransposed = 1024;

// Lanes of vectors of bytes that repeat what they read, x / 2 say: LLVM 21 does not end where 64 of these are doubled.
constexpr int64_t kMostRepeatedBytes = 32;
// Elements side by side times what each of them reads by loads of single elements: at a fixed column of a row of its
// own, or, in an update with a condition, at an index that is computed, with branches that count for as many. LLVM 21
// takes seconds for 256 such loads, and minutes for twice as many.
constexpr int64_t kMostSingleLoads = 255, kLoadsWithBranches = 4;

// Rows, and columns, of the transposed blocks of elements of so many bytes that are computed fastest: of wider vectors
// come more shuffles than loads.
constexpr int64_t best_transposed_rows(int element_bytes) { return element_bytes > 2 ? 8 : 16; }

}  // namespace emulsion
