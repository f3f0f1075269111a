// Sqrt: Y = sqrt(X).
#include "frontend/ops/support/unary.h"

namespace emulsion {

using Halide::Expr;

const Operator &onnx_sqrt() {
    static const Operator op =
        unary_operator("Sqrt", kFloatTypes, [](const Expr &x) { return Halide::sqrt(x); });
    return op;
}

}  // namespace emulsion
