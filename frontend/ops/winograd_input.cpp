// The elements of a convolution's operand that its tiles of results take, transformed (support/winograd.h): of
// x (n, c, h, w), V(place, n, th, tw, c) is place (i, j) of B' d B, where d(k, l) = x(n, c, m th + k - pad, m tw + l
// - pad), for tiles of m x m results.
#include <limits>

#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/winograd.h"

namespace emulsion {

using Halide::Expr;
using Halide::Func;
using Halide::Var;

namespace {

std::vector<int64_t> pads_of(const OperatorContext &context) {
    return context.node().integers("pads", {0, 0});
}

void check_winograd_input(const OperatorContext &context) {
    require_type(context, 0, kFloatTypes);
    require_rank(context, 0, 4);
    const WinogradTile &tile = winograd_tile(context);
    const int64_t most = std::numeric_limits<int32_t>::max() / (2 * tile.window());
    const std::vector<int64_t> pads = pads_of(context);
    const std::vector<int64_t> x = context.input_shape(0);
    const std::vector<int64_t> declared = context.result_shape();
    std::vector<int64_t> tiles;
    for (size_t axis = 0; axis < 2; axis++) {
        if (pads.size() != 2 || pads[axis] < 0 || pads[axis] > most || declared.size() != 5 ||
            declared[axis + 2] < 1 || declared[axis + 2] > most) {
            refuse(context, "it has no tiles, no pads, or more than fit 32 bits");
        }
        tiles.push_back(declared[axis + 2]);
    }
    require_output(context, {tile.places(), x[0], tiles[0], tiles[1], x[1]});
}

// What the tiles reach around the operand along axis 2 or 3.
Margin margin(const OperatorContext &context, const WinogradTile &tile, size_t axis) {
    const int64_t pad = pads_of(context)[axis - 2];
    const int64_t last =
        (context.result_shape()[axis] - 1) * tile.results + tile.window() - 1 - pad;
    return {pad, std::max<int64_t>(0, last - (context.input_shape(0)[axis] - 1))};
}

Func build_winograd_input(OperatorContext &context) {
    const WinogradTile &tile = winograd_tile(context);
    const std::vector<int64_t> pads = pads_of(context);
    const Access x = context.padded_operand(
        0, {.margin = {{}, {}, margin(context, tile, 2), margin(context, tile, 3)}, .value = 0.0});
    const Halide::Type type = halide_type(context.input(0).type);
    const auto window = static_cast<int>(tile.window()), step = static_cast<int>(tile.results);
    const std::vector<Var> v = axes(5);  // place, n, th, tw, c
    // B' d, at row i and column l of a tile.
    const Var i("row"), l("column");
    const auto element = [&](const Expr &k) {
        return x({v[1], v[4], v[2] * step + k - static_cast<int>(pads[0]),
                  v[3] * step + l - static_cast<int>(pads[1])});
    };
    Func rows = context.func("rows");
    rows(i, l, v[1], v[2], v[3], v[4]) = winograd_input_row(tile, i, element, type);
    const auto along_row = [&](const Expr &k) {
        return rows(v[0] / window, k, v[1], v[2], v[3], v[4]);
    };
    Func result = context.func("");
    result(v) = winograd_input_row(tile, v[0] % window, along_row, type);
    return result;
}

}  // namespace

const Operator &onnx_winograd_input() {
    static const Operator winograd_input = {
        .type = "WinogradInput",
        .domain = kOwnDomain,
        .check = check_winograd_input,
        .implementations = {{.name = "direct", .build = build_winograd_input}},
    };
    return winograd_input;
}

}  // namespace emulsion
