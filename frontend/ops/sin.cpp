// Sin: Y = sin(X).
#include "frontend/ops/support/real_functions.h"
#include "frontend/ops/support/unary.h"

namespace emulsion {

using Halide::Expr;

const Operator &onnx_sin() {
    static const Operator op =
        unary_operator("Sin", kFloatTypes, [](const Expr &x) { return sine(x); });
    return op;
}

}  // namespace emulsion
