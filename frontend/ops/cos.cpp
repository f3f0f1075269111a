// Cos: Y = cos(X).
#include "frontend/ops/support/unary.h"

namespace emulsion {

using Halide::Expr;

const Operator &onnx_cos() {
    static const Operator op =
        unary_operator("Cos", kFloatTypes, [](const Expr &x) { return Halide::cos(x); });
    return op;
}

}  // namespace emulsion
