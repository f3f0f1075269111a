// BatchNormalization at inference: Y(n, c, ...) = (X(n, c, ...) - mean(c)) * scale(c) /
// sqrt(var(c) + epsilon) + B(c). Rarely lowered: a pass folds it into a convolution before it.
#include "frontend/ops/support/checks.h"

namespace emulsion {

using Halide::Expr;
using Halide::Func;

namespace {

void check_batch_normalization(const OperatorContext &context) {
    for (int i = 0; i < 5; i++) {
        require_type(context, i, kFloatTypes);
    }
    if (context.node().integer("training_mode", 0) != 0) {
        refuse(context, "attribute training_mode is not 0; only inference is supported");
    }
    if (context.input(0).rank() < 1) {
        refuse(context, "operand 0 is a scalar; rank 1 or more is needed");
    }
    const std::vector<int64_t> x = context.input_shape(0);
    for (int i = 1; i < 5; i++) {
        require_shape(context, i, {x.size() < 2 ? 1 : x[1]}, "there is one value per channel");
    }
    require_unused_output(context, 1, "running_mean");
    require_unused_output(context, 2, "running_var");
    require_output(context, x);
}

Func build_batch_normalization(OperatorContext &context) {
    const Access x = context.operand(0);
    const Halide::Type type = halide_type(context.input(0).type);
    const std::vector<Halide::Var> v = axes(context.input(0).rank());
    // ONNX: an operand of rank 1 has a single channel.
    const Expr channel = v.size() < 2 ? Expr(0) : Expr(v[1]);
    // Scale and mean may have types of their own.
    const auto per_channel = [&](int index) {
        return Halide::cast(type, context.operand(index)({channel}));
    };
    const Expr epsilon = Halide::Internal::make_const(type, context.node().real("epsilon", 1e-5));
    const Expr scale = per_channel(1) / Halide::sqrt(per_channel(4) + epsilon);
    Func result = context.func("");
    result(v) = (x(to_exprs(v)) - per_channel(3)) * scale + per_channel(2);
    return result;
}

}  // namespace

const Operator &onnx_batch_normalization() {
    static const Operator batch_normalization = {
        .type = "BatchNormalization",
        .check = check_batch_normalization,
        .implementations = {{.name = "direct", .build = build_batch_normalization}},
    };
    return batch_normalization;
}

}  // namespace emulsion
