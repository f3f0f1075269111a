// Tan: Y = tan(X).
#include "frontend/ops/support/real_functions.h"
#include "frontend/ops/support/unary.h"

namespace emulsion {

using Halide::Expr;

const Operator &onnx_tan() {
    static const Operator op =
        unary_operator("Tan", kFloatTypes, [](const Expr &x) { return tangent(x); });
    return op;
}

}  // namespace emulsion
