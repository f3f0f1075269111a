// BitwiseAnd: C = A & B, broadcast.
#include "frontend/ops/support/binary.h"

namespace emulsion {

using Halide::Expr;

const Operator &onnx_bitwise_and() {
    static const Operator op = binary_operator("BitwiseAnd", kIntegerTypes,
                                               [](const Expr &a, const Expr &b) { return a & b; });
    return op;
}

}  // namespace emulsion
