// Relu: Y = max(X, 0).
#include "frontend/ops/support/checks.h"

namespace emulsion {

using Halide::Func;

namespace {

void check(const OperatorContext &context) {
    require_type(
        context, 0,
        {DataType::F32, DataType::F64, DataType::I8, DataType::I16, DataType::I32, DataType::I64});
    require_output(context, context.input_shape(0));
}

std::vector<Func> build(OperatorContext &context) {
    const Access x = context.operand(0);
    const std::vector<Halide::Var> v = axes(context.input(0).rank());
    Func result = context.func("");
    result(v) = Halide::max(x(to_exprs(v)),
                            Halide::Internal::make_zero(halide_type(context.input(0).type)));
    return {result};
}

}  // namespace

const Operator &onnx_relu() {
    static const Operator relu = {
        .type = "Relu",
        .check = check,
        .implementations = {{.name = "direct", .build = build}},
    };
    return relu;
}

}  // namespace emulsion
