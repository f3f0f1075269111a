// Hardmax: 1 at the first of the largest elements along one axis, 0 elsewhere.
#include "frontend/ops/support/arg_extreme.h"
#include "frontend/ops/support/reduction.h"
#include "frontend/ops/support/softmax.h"

namespace emulsion {

using Halide::Expr;
using Halide::Func;

namespace {

Func build_hardmax(OperatorContext &context) {
    const int axis = softmax_axis(context);
    const ReducedAxes reduced(context.input_shape(0), {axis});
    const std::vector<Halide::Var> v = axes(context.input(0).rank());
    const Expr position = arg_extreme(context, axis, Extreme::Largest, false, reduced.kept(v));
    const Halide::Type type = halide_type(context.input(0).type);
    Func result = context.func("");
    result(v) = Halide::select(v[static_cast<size_t>(axis)] == position,
                               Halide::Internal::make_one(type), Halide::Internal::make_zero(type));
    return result;
}

}  // namespace

const Operator &onnx_hardmax() {
    static const Operator hardmax = {
        .type = "Hardmax",
        .check = check_softmax,
        .implementations = {{.name = "direct", .build = build_hardmax}},
    };
    return hardmax;
}

}  // namespace emulsion
