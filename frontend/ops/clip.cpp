// Clip: Y = min(max(X, lowest), highest), where both limits are optional compile-time scalars. With
// crossed limits the upper one wins, as ONNX has it.
#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/constants.h"

namespace emulsion {

using Halide::Expr;
using Halide::Func;

namespace {

constexpr int kLowest = 1;
constexpr int kHighest = 2;

void check(const OperatorContext &context) {
    require_type(context, 0, kNumericTypes);
    require_type_of_first(context, {kLowest, kHighest});
    for (const int limit : {kLowest, kHighest}) {
        if (context.has_input(limit)) {
            constant_scalar(context, limit);
        }
    }
    require_output(context, context.input_shape(0));
}

std::vector<Func> build(OperatorContext &context) {
    const Access x = context.operand(0);
    const std::vector<Halide::Var> v = axes(context.input(0).rank());
    Expr value = x(to_exprs(v));
    if (context.has_input(kLowest)) {
        value = Halide::max(value, constant_scalar(context, kLowest));
    }
    if (context.has_input(kHighest)) {
        value = Halide::min(value, constant_scalar(context, kHighest));
    }
    Func result = context.func("");
    result(v) = value;
    return {result};
}

}  // namespace

const Operator &onnx_clip() {
    static const Operator clip = {
        .type = "Clip",
        .check = check,
        .implementations = {{.name = "direct", .build = build}},
        .compile_time_input = [](int index) { return index == kLowest || index == kHighest; },
    };
    return clip;
}

}  // namespace emulsion
