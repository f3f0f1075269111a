// Sign: Y = 1 for X > 0, -1 for X < 0, else X (which is 0 or NaN).
#include "frontend/ops/support/ieee.h"
#include "frontend/ops/support/unary.h"

namespace emulsion {

using Halide::Expr;

const Operator &onnx_sign() {
    static const Operator op = unary_operator("Sign", kNumericTypes, [](const Expr &x) {
        const Expr zero = Halide::Internal::make_zero(x.type());
        const Expr one = Halide::Internal::make_one(x.type());
        const Expr not_negative = choose(less(zero, x), one, x);
        return x.type().is_uint() ? not_negative : choose(less(x, zero), -one, not_negative);
    });
    return op;
}

}  // namespace emulsion
