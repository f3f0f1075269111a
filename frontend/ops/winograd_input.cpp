// The elements of a convolution's operand that its tiles of results take, transformed (support/winograd.h): of
// x (n, c, h, w), V(place, n, th, tw, c) is place (i, j) of B' d B, where d(k, l) = x(n, c, 2 th + k - pad, 2 tw + l
// - pad). Every row of B' takes two elements, so a place is a sum of four.
#include <limits>

#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/winograd.h"

namespace emulsion {

using Halide::Expr;
using Halide::Func;
using Halide::select;

namespace {

constexpr int64_t kMost = std::numeric_limits<int32_t>::max() / (2 * kWinogradWindow);

std::vector<int64_t> pads_of(const OperatorContext &context) {
    return context.node().integers("pads", {0, 0});
}

void check_winograd_input(const OperatorContext &context) {
    require_type(context, 0, kFloatTypes);
    require_rank(context, 0, 4);
    const std::vector<int64_t> pads = pads_of(context);
    const std::vector<int64_t> x = context.input_shape(0);
    const std::vector<int64_t> declared = context.result_shape();
    std::vector<int64_t> tiles;
    for (size_t axis = 0; axis < 2; axis++) {
        if (pads.size() != 2 || pads[axis] < 0 || pads[axis] > kMost || declared.size() != 5 ||
            declared[axis + 2] < 1 || declared[axis + 2] > kMost) {
            refuse(context, "it has no tiles, no pads, or more than fit 32 bits");
        }
        tiles.push_back(declared[axis + 2]);
    }
    require_output(context, {kWinogradWindow * kWinogradWindow, x[0], tiles[0], tiles[1], x[1]});
}

// A row of B': elements `first` and `second` of a tile, the latter times `sign`.
struct Row {
    Expr first, second, sign;
};

Row row(const Expr &place, Halide::Type type) {
    const Expr minus = Halide::cast(type, -1), plus = Halide::cast(type, 1);
    return {select(place == 0, 0, place == 2, 2, 1), select(place == 2, 1, place == 3, 3, 2),
            select(place == 1, plus, minus)};
}

// What the tiles reach around the operand along axis 2 or 3.
Margin margin(const OperatorContext &context, size_t axis) {
    const int64_t pad = pads_of(context)[axis - 2];
    const int64_t last =
        (context.result_shape()[axis] - 1) * kWinogradTile + kWinogradWindow - 1 - pad;
    return {pad, std::max<int64_t>(0, last - (context.input_shape(0)[axis] - 1))};
}

Func build_winograd_input(OperatorContext &context) {
    const std::vector<int64_t> pads = pads_of(context);
    const Access x = context.padded_operand(
        0, {.margin = {{}, {}, margin(context, 2), margin(context, 3)}, .value = 0.0});
    const Halide::Type type = halide_type(context.input(0).type);
    const std::vector<Halide::Var> v = axes(5);  // place, n, th, tw, c
    const auto window = static_cast<int>(kWinogradWindow);
    const Row h = row(v[0] / window, type), w = row(v[0] % window, type);
    const auto at = [&](const Expr &k, const Expr &l) {
        const auto tile = static_cast<int>(kWinogradTile);
        return x({v[1], v[4], v[2] * tile + k - static_cast<int>(pads[0]),
                  v[3] * tile + l - static_cast<int>(pads[1])});
    };
    const auto along_w = [&](const Expr &k) { return at(k, w.first) + w.sign * at(k, w.second); };
    Func result = context.func("");
    result(v) = along_w(h.first) + h.sign * along_w(h.second);
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
