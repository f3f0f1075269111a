// BitwiseXor: C = A ^ B, broadcast.
#include "frontend/ops/support/binary.h"

namespace emulsion {

using Halide::Expr;

const Operator &onnx_bitwise_xor() {
    static const Operator op = binary_operator("BitwiseXor", kIntegerTypes,
                                               [](const Expr &a, const Expr &b) { return a ^ b; });
    return op;
}

}  // namespace emulsion
