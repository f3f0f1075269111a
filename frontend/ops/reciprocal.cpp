// Reciprocal: Y = 1 / X.
#include "frontend/ops/support/unary.h"

namespace emulsion {

using Halide::Expr;

const Operator &onnx_reciprocal() {
    static const Operator op = unary_operator("Reciprocal", kFloatTypes, [](const Expr &x) {
        return Halide::Internal::make_one(x.type()) / x;
    });
    return op;
}

}  // namespace emulsion
