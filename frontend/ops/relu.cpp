// Relu: Y = max(X, 0).
#include "frontend/ops/support/unary.h"

namespace emulsion {

using Halide::Expr;

const Operator &onnx_relu() {
    static const Operator op = unary_operator("Relu", kSignedTypes, [](const Expr &x) {
        return Halide::max(x, Halide::Internal::make_zero(x.type()));
    });
    return op;
}

}  // namespace emulsion
