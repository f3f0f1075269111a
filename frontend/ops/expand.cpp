// Expand: the operand and the shape of compile-time operand 1, broadcast to each other (numpy's
// rules).
#include <fmt/format.h>

#include "frontend/ops/support/checks.h"

namespace emulsion {

using Halide::Func;

namespace {

constexpr int kShape = 1;

void check(const OperatorContext &context) {
    require_type(context, kShape, {DataType::I64});
    require_rank(context, kShape, 1);
    require_output(context, broadcast_shape(context, context.input_shape(0),
                                            constant_integers(context, kShape)));
}

Func build(OperatorContext &context) {
    const Access x = context.operand(0);
    const std::vector<int64_t> shape = context.result_shape();
    const std::vector<Halide::Var> v = axes(static_cast<int>(shape.size()));
    Func expand = context.func("");
    expand(v) = x(broadcast(to_exprs(v), context.input_shape(0), shape));
    return expand;
}

}  // namespace

const Operator &onnx_expand() {
    static const Operator expand = {
        .type = "Expand",
        .check = check,
        .implementations = {{.name = "direct", .build = build}},
        .compile_time_input = [](int index) { return index == kShape; },
    };
    return expand;
}

}  // namespace emulsion
