// Floor: Y = floor(X).
#include "frontend/ops/support/unary.h"

namespace emulsion {

using Halide::Expr;

const Operator &onnx_floor() {
    static const Operator op =
        unary_operator("Floor", kFloatTypes, [](const Expr &x) { return Halide::floor(x); });
    return op;
}

}  // namespace emulsion
