// Sub: C = A - B, broadcast.
#include "frontend/ops/support/binary.h"
#include "frontend/ops/support/integer_arithmetic.h"

namespace emulsion {

using Halide::Expr;

const Operator &onnx_sub() {
    static const Operator op = binary_operator(
        "Sub", kNumericTypes, [](const Expr &a, const Expr &b) { return wrapping_subtract(a, b); });
    return op;
}

}  // namespace emulsion
