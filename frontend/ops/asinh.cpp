// Asinh: Y = asinh(X).
#include "frontend/ops/support/unary.h"

namespace emulsion {

using Halide::Expr;

const Operator &onnx_asinh() {
    static const Operator op =
        unary_operator("Asinh", kFloatTypes, [](const Expr &x) { return Halide::asinh(x); });
    return op;
}

}  // namespace emulsion
