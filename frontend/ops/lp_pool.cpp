// LpPool: (sum of |x|^p)^(1/p) of each window; padding counts as zeros.
#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/reduce.h"
#include "frontend/ops/support/reduction.h"
#include "frontend/ops/support/window.h"

namespace emulsion {

using Halide::Expr;
using Halide::Func;

namespace {

void check_lp_pool(const OperatorContext &context) {
    require_type(context, 0, kFloatTypes);
    norm_power(context);
    const std::vector<WindowAxis> windows = pool_windows(context);
    const std::vector<int64_t> x = context.input_shape(0);
    require_output(context, window_output_shape(x[0], x[1], windows));
}

Func build_lp_pool(OperatorContext &context) {
    const std::vector<WindowAxis> windows = pool_windows(context);
    const Access x = windowed_operand(context, windows, 0.0);
    const int64_t p = norm_power(context);
    const std::vector<Halide::Var> v = axes(context.input(0).rank());

    const Expr element = x(window_coordinates(windows, to_exprs(v), window_taps(windows)));
    Func sum = sum_over(context, "sum", v, power_of(element, p));
    Func result = context.func("");
    result(v) = root_of(sum(v), p);
    return result;
}

}  // namespace

const Operator &onnx_lp_pool() {
    static const Operator lp_pool = {
        .type = "LpPool",
        .check = check_lp_pool,
        .implementations = {{.name = "direct", .build = build_lp_pool}},
    };
    return lp_pool;
}

}  // namespace emulsion
