// Elu: Y = X for X >= 0, else alpha (exp(X) - 1).
#include "frontend/ops/support/real_functions.h"
#include "frontend/ops/support/unary.h"

namespace emulsion {

using Halide::Expr;

const Operator &onnx_elu() {
    static const Operator op = unary_operator_of_node(
        "Elu", kFloatTypes, [](const OperatorContext &context, const Expr &x) {
            const double alpha = context.node().real("alpha", 1.0);
            const Expr zero = Halide::Internal::make_zero(x.type());
            return Halide::select(x < zero, scaled_exponential_minus_one(x, alpha), x);
        });
    return op;
}

}  // namespace emulsion
