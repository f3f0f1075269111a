// Atan: Y = atan(X).
#include "frontend/ops/support/unary.h"

namespace emulsion {

using Halide::Expr;

const Operator &onnx_atan() {
    static const Operator op =
        unary_operator("Atan", kFloatTypes, [](const Expr &x) { return Halide::atan(x); });
    return op;
}

}  // namespace emulsion
