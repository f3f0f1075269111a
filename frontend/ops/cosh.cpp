// Cosh: Y = cosh(X).
#include "frontend/ops/support/unary.h"

namespace emulsion {

using Halide::Expr;

const Operator &onnx_cosh() {
    static const Operator op =
        unary_operator("Cosh", kFloatTypes, [](const Expr &x) { return Halide::cosh(x); });
    return op;
}

}  // namespace emulsion
