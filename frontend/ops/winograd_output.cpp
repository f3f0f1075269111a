// Products of transformed tiles back to a convolution's results (support/winograd.h): of M (place, n, th, tw, c) and
// a bias, Y(n, c, h, w) is element (h mod m, w mod m) of A' t A, where t is tile (h / m, w / m) of M, for tiles of m x m
// results.
#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/winograd.h"

namespace emulsion {

using Halide::Expr;
using Halide::Func;
using Halide::Var;

namespace {

void check_winograd_output(const OperatorContext &context) {
    require_type(context, 0, kFloatTypes);
    require_type_of_first(context, {1});
    require_rank(context, 0, 5);
    const WinogradTile &tile = winograd_tile(context);
    const std::vector<int64_t> m = context.input_shape(0);
    if (context.has_input(1)) {
        require_shape(context, 1, {m[4]}, "there is one bias per channel");
    }
    const std::vector<int64_t> declared = context.result_shape();
    const bool fits = declared.size() == 4 && m[0] == tile.places() && declared[2] >= 1 &&
                      declared[3] >= 1 && tile.tiles(declared[2]) == m[2] &&
                      tile.tiles(declared[3]) == m[3];
    if (!fits) {
        refuse(context, "its tiles don't fit the result");
    }
    require_output(context, {m[1], m[4], declared[2], declared[3]});
}

Func build_winograd_output(OperatorContext &context) {
    const WinogradTile &tile = winograd_tile(context);
    const Access m = context.operand(0);
    const Halide::Type type = halide_type(context.input(0).type);
    const auto window = static_cast<int>(tile.window()), step = static_cast<int>(tile.results);
    const std::vector<Var> v = axes(4);  // n, c, h, w
    // A' t, at row a of results and column j of places.
    const Var a("row"), j("column"), th("tile_row"), tw("tile_column");
    const auto place = [&](const Expr &i) { return m({i * window + j, v[0], th, tw, v[1]}); };
    Func rows = context.func("rows");
    rows(a, j, v[0], th, tw, v[1]) = winograd_output_row(tile, a, place, type);
    const auto along_row = [&](const Expr &k) {
        return rows(v[2] % step, k, v[0], v[2] / step, v[3] / step, v[1]);
    };
    const Expr element = winograd_output_row(tile, v[3] % step, along_row, type);
    Func result = context.func("");
    result(v) = context.has_input(1) ? context.operand(1)({v[1]}) + element : element;
    return result;
}

}  // namespace

const Operator &onnx_winograd_output() {
    static const Operator winograd_output = {
        .type = "WinogradOutput",
        .domain = kOwnDomain,
        .check = check_winograd_output,
        .implementations = {{.name = "direct", .build = build_winograd_output}},
    };
    return winograd_output;
}

}  // namespace emulsion
