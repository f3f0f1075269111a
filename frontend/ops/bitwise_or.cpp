// BitwiseOr: C = A | B, broadcast.
#include "frontend/ops/support/binary.h"

namespace emulsion {

using Halide::Expr;

const Operator &onnx_bitwise_or() {
    static const Operator op = binary_operator("BitwiseOr", kIntegerTypes,
                                               [](const Expr &a, const Expr &b) { return a | b; });
    return op;
}

}  // namespace emulsion
