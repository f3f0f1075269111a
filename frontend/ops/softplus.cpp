// Softplus: Y = ln(1 + exp(X)).
#include "frontend/ops/support/real_functions.h"
#include "frontend/ops/support/unary.h"

namespace emulsion {

using Halide::Expr;

const Operator &onnx_softplus() {
    static const Operator op =
        unary_operator("Softplus", kFloatTypes, [](const Expr &x) { return softplus(x); });
    return op;
}

}  // namespace emulsion
