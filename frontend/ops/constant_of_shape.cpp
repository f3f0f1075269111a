// ConstantOfShape: a tensor of the shape of compile-time operand 0, every element of which is `value`.
#include "frontend/ops/support/checks.h"

namespace emulsion {

using Halide::Expr;
using Halide::Func;

namespace {

void check_constant_of_shape(const OperatorContext &context) {
    require_type(context, 0, {DataType::I64});
    require_rank(context, 0, 1);
    const DataType type = context.result().type;
    if (!context.node().has("value")) {
        require_result(context, constant_integers(context, 0), DataType::F32);
    } else if (is_float(type)) {
        context.node().real("value", 0.0);
    } else {
        context.node().integer("value", 0);
    }
    require_result(context, constant_integers(context, 0), type);
}

Func build_constant_of_shape(OperatorContext &context) {
    const Halide::Type type = halide_type(context.result().type);
    Expr value;
    if (type.is_float()) {
        value = Halide::Internal::make_const(type, context.node().real("value", 0.0));
    } else {
        const int64_t integer = context.node().integer("value", 0);
        value = type.is_uint() ? Halide::Internal::make_const(type, static_cast<uint64_t>(integer))
                               : Halide::Internal::make_const(type, integer);
    }
    Func result = context.func("");
    result(axes(context.result().rank())) = value;
    return result;
}

}  // namespace

const Operator &onnx_constant_of_shape() {
    static const Operator constant_of_shape = {
        .type = "ConstantOfShape",
        .check = check_constant_of_shape,
        .implementations = {{.name = "direct", .build = build_constant_of_shape}},
        .compile_time_input = [](int) { return true; },
    };
    return constant_of_shape;
}

}  // namespace emulsion
