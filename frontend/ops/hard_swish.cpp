// HardSwish: Y = X min(max(X / 6 + 1/2, 0), 1).
#include "frontend/ops/support/unary.h"

namespace emulsion {

using Halide::Expr;

const Operator &onnx_hard_swish() {
    static const Operator op = unary_operator("HardSwish", kFloatTypes, [](const Expr &x) {
        return x * Halide::clamp(x * Halide::Internal::make_const(x.type(), 1.0 / 6.0) +
                                     Halide::Internal::make_const(x.type(), 0.5),
                                 Halide::Internal::make_zero(x.type()),
                                 Halide::Internal::make_one(x.type()));
    });
    return op;
}

}  // namespace emulsion
