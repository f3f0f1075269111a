// Atanh: Y = atanh(X).
#include "frontend/ops/support/unary.h"

namespace emulsion {

using Halide::Expr;

const Operator &onnx_atanh() {
    static const Operator op =
        unary_operator("Atanh", kFloatTypes, [](const Expr &x) { return Halide::atanh(x); });
    return op;
}

}  // namespace emulsion
