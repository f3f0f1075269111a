// Clip: Y = min(max(X, lowest), highest), where both limits are optional scalars. With crossed limits
// the upper one wins, as ONNX has it.
#include <fmt/format.h>

#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/flattened_pixels.h"

namespace emulsion {

using Halide::Expr;
using Halide::Func;

namespace {

constexpr int kLowest = 1;
constexpr int kHighest = 2;

void check_clip(const OperatorContext &context) {
    require_type(context, 0, kNumericTypes);
    require_type_of_first(context, {kLowest, kHighest});
    for (const int limit : {kLowest, kHighest}) {
        if (context.has_input(limit) && context.input(limit).element_count() != 1) {
            refuse(context, fmt::format("{} has shape {}; a scalar is needed",
                                        describe_input(context, limit),
                                        to_string(context.input_shape(limit))));
        }
    }
    require_output(context, context.input_shape(0));
}

// The only element of operand `index`: models have limits of shape [1], too.
Expr scalar(OperatorContext &context, int index) {
    const std::vector<Expr> origin(static_cast<size_t>(context.input(index).rank()), Expr(0));
    return context.operand(index)(origin);
}

Func build_clip(OperatorContext &context) {
    const Access x = context.operand(0);
    const std::vector<Halide::Var> v = axes(context.input(0).rank());
    Expr value = x(to_exprs(v));
    if (context.has_input(kLowest)) {
        value = Halide::max(value, scalar(context, kLowest));
    }
    if (context.has_input(kHighest)) {
        value = Halide::min(value, scalar(context, kHighest));
    }
    Func result = context.func("");
    result(v) = value;
    return result;
}

}  // namespace

const Operator &onnx_clip() {
    static const Operator clip = {
        .type = "Clip",
        .check = check_clip,
        .implementations = {{.name = "direct", .build = build_clip}, flattened_elementwise()},
    };
    return clip;
}

}  // namespace emulsion
