// Winograd's minimal filtering F(m x m, 3 x 3) (Lavin and Gray, "Fast Algorithms for Convolutional Neural Networks", 2016,
// section 4): of a 3 x 3 convolution without strides, every tile of m x m results takes a tile of (m + 2) x (m + 2)
// elements, and as many products instead of 9 m x m.
//
//     Y = A' [(G g G') * (B' d B)] A
//
// over tiles: d is transformed (WinogradInput), multiplied over the channels by transformed weights (WinogradWeights),
// one matrix product for each place of a tile, and transformed back (WinogradOutput).
//
// The transforms evaluate polynomials at points (Toom and Cook's method; Barabasz et al., "Error Analysis and Improving
// the Accuracy of Winograd Convolution for Deep Neural Networks", 2020, section 2): at 0, at both signs of every other
// point, and at infinity. So the rows of a point and of its negative differ in the sign of their odd terms, which is how
// the transforms are written: what such rows have in common is computed once.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "frontend/ops/operator.h"

namespace emulsion {

inline constexpr int64_t kWinogradTaps = 3;  // of the convolution along an axis
// Channels that are summed up one after the other: in YOLO-V4 and VGG-16 smaller blocks took 4 to 7 % more time.
inline constexpr int64_t kWinogradSumBlock = 64;

struct WinogradTile {
    int64_t results = 2;         // along an axis
    std::vector<double> points;  // the positive ones; a tile has two results for each

    int64_t window() const { return results + kWinogradTaps - 1; }  // elements along an axis
    int64_t places() const { return window() * window(); }
    // Tiles along an axis of `extent` results.
    int64_t tiles(int64_t extent) const { return (extent + results - 1) / results; }
    // G, by row.
    std::vector<std::array<double, kWinogradTaps>> weight_rows() const;
};

// Of 2 or 4 results along an axis; else null.
const WinogradTile *find_winograd_tile(int64_t results);
// That of the node's attribute `tile`. Throws Error where there is none.
const WinogradTile &winograd_tile(const OperatorContext &context);

// What lies at an index along one axis of a tile.
using AlongTile = std::function<Halide::Expr(const Halide::Expr &index)>;

// Row `row` of B' times what lies along a tile's axis, and of A'.
Halide::Expr winograd_input_row(const WinogradTile &tile, const Halide::Expr &row,
                                const AlongTile &element, Halide::Type type);
Halide::Expr winograd_output_row(const WinogradTile &tile, const Halide::Expr &row,
                                 const AlongTile &place, Halide::Type type);

// Of a convolution: tiles of 2 x 2 and of 4 x 4 results.
Implementation winograd_2x2();
Implementation winograd_4x4();

}  // namespace emulsion
