// Div: C = A / B, broadcast. Of integers it is rounded towards zero, and 0 where B is 0.
#include "frontend/ops/support/binary.h"
#include "frontend/ops/support/integer_arithmetic.h"

namespace emulsion {

using Halide::Expr;

const Operator &onnx_div() {
    static const Operator op =
        binary_operator("Div", kNumericTypes, [](const Expr &a, const Expr &b) {
            return a.type().is_float() ? a / b : divide_integers(a, b);
        });
    return op;
}

}  // namespace emulsion
