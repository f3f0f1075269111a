// Blocks that loop nests compute along an axis that an operand's cache lines lie along (Crossing).
#pragma once

#include <cstdint>

#include "fusion/ceil_div.h"

namespace emulsion {

// Steps of another axis than the vectors', computed one after the other: as many elements as a cache line has.
constexpr int64_t kCrossingBlock = 16;

// Whether so many rows are about a whole number of such blocks, of which the last two overlap: what is computed twice
// takes longer than to load vectors element by element where it is more than a quarter.
inline bool are_about_whole_blocks(int64_t rows) {
    return rows >= kCrossingBlock &&
           ceil_div(rows, kCrossingBlock) * kCrossingBlock * 4 <= rows * 5;
}

}  // namespace emulsion
