// LpNormalization: x / p-norm of x along one axis, p 1 or 2; 0 where the norm is 0.
#include <fmt/format.h>

#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/reduce.h"
#include "frontend/ops/support/reduction.h"
#include "frontend/ops/support/softmax.h"

namespace emulsion {

using Halide::Expr;
using Halide::Func;

namespace {

void check_lp_normalization(const OperatorContext &context) {
    const int64_t p = context.node().integer("p", 2);
    if (p != 1 && p != 2) {
        refuse(context, fmt::format("attribute p is {}; 1 and 2 are accepted", p));
    }
    check_softmax(context);
}

Func build_lp_normalization(OperatorContext &context) {
    const Access x = context.operand(0);
    const int64_t p = norm_power(context);
    const ReducedAxes reduced(context.input_shape(0), {softmax_axis(context)});
    const std::vector<Halide::Var> v = axes(context.input(0).rank());
    const std::vector<Halide::Var> kept = reduced.kept(v);
    Func sum = sum_over(context, "sum", kept, power_of(x(reduced.coordinates(to_exprs(kept))), p));
    const Expr norm = root_of(sum(kept), p);
    const Expr zero = Halide::Internal::make_zero(norm.type());
    Func result = context.func("");
    result(v) = Halide::select(norm == zero, zero, x(to_exprs(v)) / norm);
    return result;
}

}  // namespace

const Operator &onnx_lp_normalization() {
    static const Operator lp_normalization = {
        .type = "LpNormalization",
        .check = check_lp_normalization,
        .implementations = {{.name = "direct", .build = build_lp_normalization}},
    };
    return lp_normalization;
}

}  // namespace emulsion
