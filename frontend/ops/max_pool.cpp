// MaxPool, 2-D: the largest element of each window; padding never wins.
#include <limits>

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
    require_type(context, 0, {DataType::F32, DataType::F64, DataType::I8, DataType::U8});
    require_rank(context, 0, 4);
    // Without indices, attribute storage_order has no meaning.
    require_unused_output(context, 1, "Indices");
    const std::vector<int64_t> x = context.input_shape(0);
    require_output(context, window_output_shape(x[0], x[1], pool_windows(context)));
}

std::vector<Func> build(OperatorContext &context) {
    const std::vector<WindowAxis> windows = pool_windows(context);
    const Access x = windowed_operand(context, windows, -std::numeric_limits<double>::infinity());
    const std::vector<Halide::Var> v = axes(4);
    const std::vector<Expr> r = reduction_axes({windows[1].kernel, windows[0].kernel});

    Func largest = context.func("max");
    largest(v) = halide_type(context.input(0).type).min();
    largest(v) = Halide::max(largest(v), x({v[0], v[1], windows[0].position(v[2], r[1]),
                                            windows[1].position(v[3], r[0])}));
    Func result = context.func("");
    result(v) = largest(v);
    return {result};
}

}  // namespace

const Operator &onnx_max_pool() {
    static const Operator max_pool = {
        .type = "MaxPool",
        .check = check,
        .implementations = {{.name = "direct", .build = build}},
    };
    return max_pool;
}

}  // namespace emulsion
