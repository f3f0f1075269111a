// Acos: Y = acos(X).
#include "frontend/ops/support/unary.h"

namespace emulsion {

using Halide::Expr;

const Operator &onnx_acos() {
    static const Operator op =
        unary_operator("Acos", kFloatTypes, [](const Expr &x) { return Halide::acos(x); });
    return op;
}

}  // namespace emulsion
