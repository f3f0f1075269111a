// CastLike: the elements of X in the type of the second operand, which is not read.
#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/convert.h"

namespace emulsion {

namespace {

void check(const OperatorContext &context) {
    require_type(context, 0, kAllTypes);
    require_type(context, 1, kAllTypes);
    require_result(context, context.input_shape(0), context.input(1).type);
}

Halide::Func build(OperatorContext &context) {
    const Access x = context.operand(0);
    const std::vector<Halide::Var> v = axes(context.input(0).rank());
    Halide::Func result = context.func("");
    result(v) = convert(x(to_exprs(v)), halide_type(context.result().type));
    return result;
}

}  // namespace

const Operator &onnx_cast_like() {
    static const Operator op = {
        .type = "CastLike",
        .check = check,
        .implementations = {{.name = "direct", .build = build}},
        .compile_time_input = [](int index) { return index == 1; },
    };
    return op;
}

}  // namespace emulsion
