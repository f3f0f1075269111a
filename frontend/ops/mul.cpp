// Mul: C = A B, broadcast.
#include "frontend/ops/support/binary.h"
#include "frontend/ops/support/integer_arithmetic.h"

namespace emulsion {

using Halide::Expr;

const Operator &onnx_mul() {
    static const Operator op = binary_operator(
        "Mul", kNumericTypes, [](const Expr &a, const Expr &b) { return wrapping_multiply(a, b); });
    return op;
}

}  // namespace emulsion
