// Softsign: Y = X / (1 + |X|).
#include "frontend/ops/support/unary.h"

namespace emulsion {

using Halide::Expr;

const Operator &onnx_softsign() {
    static const Operator op = unary_operator("Softsign", kFloatTypes, [](const Expr &x) {
        return x / (Halide::abs(x) + Halide::Internal::make_one(x.type()));
    });
    return op;
}

}  // namespace emulsion
