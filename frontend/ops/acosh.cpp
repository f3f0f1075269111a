// Acosh: Y = acosh(X).
#include "frontend/ops/support/unary.h"

namespace emulsion {

using Halide::Expr;

const Operator &onnx_acosh() {
    static const Operator op =
        unary_operator("Acosh", kFloatTypes, [](const Expr &x) { return Halide::acosh(x); });
    return op;
}

}  // namespace emulsion
