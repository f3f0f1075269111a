// Exp: Y = e^X.
#include "frontend/ops/support/real_functions.h"
#include "frontend/ops/support/unary.h"

namespace emulsion {

using Halide::Expr;

const Operator &onnx_exp() {
    static const Operator op =
        unary_operator("Exp", kFloatTypes, [](const Expr &x) { return exponential(x); });
    return op;
}

}  // namespace emulsion
