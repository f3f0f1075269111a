// Trilu: the operand's matrices with 0 below (upper) or above their k-th diagonal, where k is a
// compile-time operand.
#include <algorithm>
#include <fmt/format.h>

#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/constants.h"

namespace emulsion {

using Halide::Expr;
using Halide::Func;

namespace {

constexpr int kDiagonal = 1;

void check_trilu(const OperatorContext &context) {
    if (context.input(0).rank() < 2) {
        refuse(context, fmt::format("{} has rank {}; at least 2 is needed",
                                    describe_input(context, 0), context.input(0).rank()));
    }
    if (context.has_input(kDiagonal)) {
        require_type(context, kDiagonal, {DataType::I64});
        constant_scalar(context, kDiagonal);
    }
    require_output(context, context.input_shape(0));
}

Func build_trilu(OperatorContext &context) {
    const Access x = context.operand(0);
    const std::vector<int64_t> shape = context.input_shape(0);
    const std::vector<Halide::Var> v = axes(static_cast<int>(shape.size()));
    const Halide::Var &row = v[v.size() - 2];
    const Halide::Var &column = v[v.size() - 1];
    const int64_t k = context.has_input(kDiagonal) ? constant_integers(context, kDiagonal)[0] : 0;
    // Diagonals outside of the matrix are all alike.
    const auto diagonal =
        static_cast<int>(std::clamp(k, -shape[shape.size() - 2] - 1, shape[shape.size() - 1] + 1));
    // Where it is negative it wraps around: of a comparison of signed numbers Halide would work out which part
    // of a row is needed, and whoever computes the operand tile by tile counts on whole tiles.
    const bool upper = context.node().integer("upper", 1) != 0;
    const Expr beyond = upper ? column - row - diagonal : diagonal - (column - row);
    const Expr kept = Halide::cast<uint32_t>(beyond) <
                      Halide::Internal::make_const(Halide::UInt(32), uint64_t{1} << 31);
    const Expr zero = Halide::Internal::make_zero(halide_type(context.input(0).type));
    Func trilu = context.func("");
    trilu(v) = Halide::select(kept, x(to_exprs(v)), zero);
    return trilu;
}

}  // namespace

const Operator &onnx_trilu() {
    static const Operator trilu = {
        .type = "Trilu",
        .check = check_trilu,
        .implementations = {{.name = "direct", .build = build_trilu}},
        .compile_time_input = [](int index) { return index == kDiagonal; },
    };
    return trilu;
}

}  // namespace emulsion
