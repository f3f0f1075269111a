// Sinh: Y = sinh(X).
#include "frontend/ops/support/unary.h"

namespace emulsion {

using Halide::Expr;

const Operator &onnx_sinh() {
    static const Operator op =
        unary_operator("Sinh", kFloatTypes, [](const Expr &x) { return Halide::sinh(x); });
    return op;
}

}  // namespace emulsion
