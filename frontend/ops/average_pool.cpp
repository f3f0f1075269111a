// AveragePool, 2-D: the mean of each window. Padding counts as zeros with count_include_pad and not at
// all without; elements beyond the padding, which ceil_mode may reach, never count.
#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/reduction.h"
#include "frontend/ops/support/window.h"

namespace emulsion {

using Halide::Expr;
using Halide::Func;

namespace {

std::vector<WindowAxis> pool_windows(const OperatorContext &context) {
    return window_axes(context, pool_kernel(context), context.node().integer("ceil_mode", 0) != 0);
}

void check(const OperatorContext &context) {
    require_type(context, 0, kFloatTypes);
    require_rank(context, 0, 4);
    const std::vector<int64_t> x = context.input_shape(0);
    require_output(context, window_output_shape(x[0], x[1], pool_windows(context)));
}

// How many elements of the window at `window` count along `axis`.
Expr element_count(const WindowAxis &axis, const Expr &window, bool include_pad) {
    return include_pad ? axis.taps_within(window, axis.pad_before, axis.pad_after)
                       : axis.taps_within(window, 0, 0);
}

std::vector<Func> build(OperatorContext &context) {
    const std::vector<WindowAxis> windows = pool_windows(context);
    const Access x = windowed_operand(context, windows, 0.0);
    const Halide::Type type = halide_type(context.input(0).type);
    const bool include_pad = context.node().integer("count_include_pad", 0) != 0;
    const std::vector<Halide::Var> v = axes(4);
    const std::vector<Expr> r = reduction_axes({windows[1].kernel, windows[0].kernel});

    Func sum = context.func("sum");
    sum(v) = Halide::Internal::make_zero(type);
    sum(v) += x({v[0], v[1], windows[0].position(v[2], r[1]), windows[1].position(v[3], r[0])});

    const Expr count_h = element_count(windows[0], v[2], include_pad);
    const Expr count_w = element_count(windows[1], v[3], include_pad);
    const auto constant_h = Halide::Internal::as_const_int(count_h);
    const auto constant_w = Halide::Internal::as_const_int(count_w);
    Func result = context.func("");
    if (constant_h && constant_w) {
        const double count = static_cast<double>(*constant_h) * static_cast<double>(*constant_w);
        result(v) = sum(v) * Halide::Internal::make_const(type, 1.0 / count);
    } else {
        // A window of padding alone has no mean; 0, as ONNX Runtime gives.
        result(v) = sum(v) / Halide::cast(type, Halide::max(count_h * count_w, 1));
    }
    return {result};
}

}  // namespace

const Operator &onnx_average_pool() {
    static const Operator average_pool = {
        .type = "AveragePool",
        .check = check,
        .implementations = {{.name = "direct", .build = build}},
    };
    return average_pool;
}

}  // namespace emulsion
