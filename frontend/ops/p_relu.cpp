// PRelu: Y = X for X >= 0, else slope X; the slope is broadcast to X.
#include <fmt/format.h>

#include "frontend/ops/support/binary.h"
#include "frontend/ops/support/integer_arithmetic.h"

namespace emulsion {

using Halide::Expr;

namespace {

Expr p_relu(const OperatorContext &context, const Expr &x, const Expr &slope) {
    if (!can_broadcast(context.input_shape(1), context.input_shape(0))) {
        refuse(context, fmt::format("{} has shape {}, which can't be broadcast to {}",
                                    describe_input(context, 1), to_string(context.input_shape(1)),
                                    to_string(context.input_shape(0))));
    }
    return Halide::select(x < Halide::Internal::make_zero(x.type()), wrapping_multiply(x, slope),
                          x);
}

}  // namespace

const Operator &onnx_p_relu() {
    static const Operator op = binary_operator_of_node(
        "PRelu",
        {DataType::F32, DataType::F64, DataType::I32, DataType::I64, DataType::U32, DataType::U64},
        p_relu);
    return op;
}

}  // namespace emulsion
