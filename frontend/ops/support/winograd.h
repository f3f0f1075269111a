// Winograd's minimal filtering F(2x2, 3x3) (Lavin and Gray, "Fast Algorithms for Convolutional Neural Networks", 2016,
// section 4.1): of a 3 x 3 convolution without strides, every tile of 2 x 2 results takes a tile of 4 x 4 elements,
// and 16 products instead of 36.
//
//     Y = A' [(G g G') * (B' d B)] A
//
// over tiles: d is transformed (WinogradInput), multiplied over the channels by transformed weights (WinogradWeights),
// one matrix product for each of the 16 places of a tile, and transformed back (WinogradOutput).
#pragma once

#include "frontend/ops/operator.h"

namespace emulsion {

inline constexpr int64_t kWinogradTaps = 3;    // of the convolution along an axis
inline constexpr int64_t kWinogradTile = 2;    // results along an axis
inline constexpr int64_t kWinogradWindow = 4;  // elements along an axis that they take

// Tiles along an axis of `results`.
inline int64_t winograd_tiles(int64_t results) {
    return (results + kWinogradTile - 1) / kWinogradTile;
}

// Of a convolution.
Implementation winograd_convolution();

}  // namespace emulsion
