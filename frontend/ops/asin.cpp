// Asin: Y = asin(X).
#include "frontend/ops/support/unary.h"

namespace emulsion {

using Halide::Expr;

const Operator &onnx_asin() {
    static const Operator op =
        unary_operator("Asin", kFloatTypes, [](const Expr &x) { return Halide::asin(x); });
    return op;
}

}  // namespace emulsion
