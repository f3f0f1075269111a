// Ceil: Y = ceil(X).
#include "frontend/ops/support/unary.h"

namespace emulsion {

using Halide::Expr;

const Operator &onnx_ceil() {
    static const Operator op =
        unary_operator("Ceil", kFloatTypes, [](const Expr &x) { return Halide::ceil(x); });
    return op;
}

}  // namespace emulsion
