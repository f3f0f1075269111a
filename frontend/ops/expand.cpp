// Expand: the operand and the shape of compile-time operand 1, broadcast to each other (numpy's
// rules).
#include <fmt/format.h>

#include "frontend/ops/support/checks.h"

namespace emulsion {

using Halide::Func;

namespace {

constexpr int kExpandShape = 1;

void check_expand(const OperatorContext &context) {
    require_type(context, kExpandShape, {DataType::I64});
    require_rank(context, kExpandShape, 1);
    require_output(context, broadcast_shape(context, context.input_shape(0),
                                            constant_integers(context, kExpandShape)));
}

Func build_expand(OperatorContext &context) {
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
        .check = check_expand,
        .implementations = {{.name = "direct", .build = build_expand}},
        .compile_time_input = [](int index) { return index == kExpandShape; },
    };
    return expand;
}

}  // namespace emulsion
