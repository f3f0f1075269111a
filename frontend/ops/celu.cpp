// Celu: Y = X for X >= 0, else alpha (exp(X / alpha) - 1), which is max(0, X) + min(0, ...) for a
// negative alpha too.
#include "frontend/ops/support/real_functions.h"
#include "frontend/ops/support/unary.h"

namespace emulsion {

using Halide::Expr;

const Operator &onnx_celu() {
    static const Operator op = unary_operator_of_node(
        "Celu", kFloatTypes, [](const OperatorContext &context, const Expr &x) {
            const double alpha = context.node().real("alpha", 1.0);
            if (alpha == 0.0) {
                refuse(context, "attribute alpha is 0; X is divided by it");
            }
            const Expr zero = Halide::Internal::make_zero(x.type());
            const Expr scaled = x / Halide::Internal::make_const(x.type(), alpha);
            return Halide::max(x, zero) +
                   Halide::min(scaled_exponential_minus_one(scaled, alpha), zero);
        });
    return op;
}

}  // namespace emulsion
