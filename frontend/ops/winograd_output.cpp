// Products of transformed tiles back to a convolution's results (support/winograd.h): of M (place, n, th, tw, c) and
// a bias, Y(n, c, h, w) is element (h mod 2, w mod 2) of A' m A, where m is tile (h / 2, w / 2) of M. Row r of A'
// takes places r, r + 1 and r + 2.
#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/winograd.h"

namespace emulsion {

using Halide::Expr;
using Halide::Func;

namespace {

constexpr int kTerms = 3;  // of a row of A'

void check_winograd_output(const OperatorContext &context) {
    require_type(context, 0, kFloatTypes);
    require_type_of_first(context, {1});
    require_rank(context, 0, 5);
    const std::vector<int64_t> m = context.input_shape(0);
    if (context.has_input(1)) {
        require_shape(context, 1, {m[4]}, "there is one bias per channel");
    }
    const std::vector<int64_t> declared = context.result_shape();
    const bool fits = declared.size() == 4 && m[0] == kWinogradWindow * kWinogradWindow &&
                      declared[2] >= 1 && declared[3] >= 1 && winograd_tiles(declared[2]) == m[2] &&
                      winograd_tiles(declared[3]) == m[3];
    if (!fits) {
        refuse(context, "its tiles don't fit the result");
    }
    require_output(context, {m[1], m[4], declared[2], declared[3]});
}

Func build_winograd_output(OperatorContext &context) {
    const Access m = context.operand(0);
    const Halide::Type type = halide_type(context.input(0).type);
    const std::vector<Halide::Var> v = axes(4);  // n, c, h, w
    const auto tile = static_cast<int>(kWinogradTile);
    const auto window = static_cast<int>(kWinogradWindow);
    const Expr row = v[2] % tile, column = v[3] % tile;
    // Row 0 is 1, 1, 1, 0 and row 1 is 0, 1, -1, -1.
    const Expr plus = Halide::cast(type, 1), minus = Halide::cast(type, -1);
    const auto sign = [&](const Expr &r, int term) {
        return term == 0 ? plus : Halide::select(r == 1, minus, plus);
    };
    Expr sum =
        context.has_input(1) ? context.operand(1)({v[1]}) : Halide::Internal::make_zero(type);
    for (int i = 0; i < kTerms; i++) {
        for (int j = 0; j < kTerms; j++) {
            const Expr place = (row + i) * window + column + j;
            sum +=
                sign(row, i) * sign(column, j) * m({place, v[0], v[2] / tile, v[3] / tile, v[1]});
        }
    }
    Func result = context.func("");
    result(v) = sum;
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
