// BitwiseNot: Y = X with every bit inverted.
#include "frontend/ops/support/unary.h"

namespace emulsion {

using Halide::Expr;

const Operator &onnx_bitwise_not() {
    static const Operator op =
        unary_operator("BitwiseNot", kIntegerTypes, [](const Expr &x) { return ~x; });
    return op;
}

}  // namespace emulsion
