// Tanh: Y = tanh X.
#include "frontend/ops/support/real_functions.h"
#include "frontend/ops/support/unary.h"

namespace emulsion {

using Halide::Expr;

const Operator &onnx_tanh() {
    static const Operator op =
        unary_operator("Tanh", kFloatTypes, [](const Expr &x) { return hyperbolic_tangent(x); });
    return op;
}

}  // namespace emulsion
