// Cos: Y = cos(X).
#include "frontend/ops/support/real_functions.h"
#include "frontend/ops/support/unary.h"

namespace emulsion {

using Halide::Expr;

const Operator &onnx_cos() {
    static const Operator op =
        unary_operator("Cos", kFloatTypes, [](const Expr &x) { return cosine(x); });
    return op;
}

}  // namespace emulsion
