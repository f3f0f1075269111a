// Neg: Y = -X; that of the lowest integer wraps around to itself.
#include "frontend/ops/support/integer_arithmetic.h"
#include "frontend/ops/support/unary.h"

namespace emulsion {

using Halide::Expr;

const Operator &onnx_neg() {
    static const Operator op = unary_operator("Neg", kSignedTypes, [](const Expr &x) {
        return x.type().is_float() ? -x
                                   : wrapping_subtract(Halide::Internal::make_zero(x.type()), x);
    });
    return op;
}

}  // namespace emulsion
