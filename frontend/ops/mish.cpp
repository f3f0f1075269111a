// Mish: Y = X tanh(softplus(X)).
#include "frontend/ops/support/real_functions.h"
#include "frontend/ops/support/unary.h"

namespace emulsion {

using Halide::Expr;

const Operator &onnx_mish() {
    static const Operator op =
        unary_operator("Mish", kFloatTypes, [](const Expr &x) { return mish(x); });
    return op;
}

}  // namespace emulsion
