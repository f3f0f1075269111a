// Softmax along one axis: Y = exp(X - max) / sum of exp(X - max). Subtracting the largest element
// changes nothing but keeps exp from overflowing.
#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/reduction.h"

namespace emulsion {

using Halide::Expr;
using Halide::Func;

namespace {

int softmax_axis(const OperatorContext &context) {
    return normalize_axis(context, context.node().integer("axis", -1), context.input(0).rank(),
                          "attribute axis");
}

void check(const OperatorContext &context) {
    require_type(context, 0, kFloatTypes);
    softmax_axis(context);
    require_output(context, context.input_shape(0));
}

std::vector<Func> build(OperatorContext &context) {
    const Access x = context.operand(0);
    const Halide::Type type = halide_type(context.input(0).type);
    const int axis = softmax_axis(context);
    const std::vector<Halide::Var> v = axes(context.input(0).rank());
    std::vector<Halide::Var> others = v;
    others.erase(others.begin() + axis);
    const int64_t extent = context.input_shape(0)[static_cast<size_t>(axis)];
    // Operand at the result's coordinates, except for `along` on the axis.
    const auto at = [&](const Expr &along) {
        std::vector<Expr> coordinates = to_exprs(v);
        coordinates[static_cast<size_t>(axis)] = along;
        return x(coordinates);
    };

    Func largest = context.func("max");
    largest(others) = type.min();
    largest(others) = Halide::max(largest(others), at(reduction_axes({extent})[0]));
    Func sum = context.func("sum");
    sum(others) = Halide::Internal::make_zero(type);
    sum(others) += Halide::exp(at(reduction_axes({extent})[0]) - largest(others));
    Func result = context.func("");
    result(v) = Halide::exp(at(v[static_cast<size_t>(axis)]) - largest(others)) / sum(others);
    return {result};
}

}  // namespace

const Operator &onnx_softmax() {
    static const Operator softmax = {
        .type = "Softmax",
        .check = check,
        .implementations = {{.name = "direct", .build = build}},
    };
    return softmax;
}

}  // namespace emulsion
