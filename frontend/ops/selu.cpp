// Selu: Y = gamma X for X >= 0, else gamma alpha (exp(X) - 1).
#include "frontend/ops/support/real_functions.h"
#include "frontend/ops/support/unary.h"

namespace emulsion {

using Halide::Expr;

const Operator &onnx_selu() {
    static const Operator op = unary_operator_of_node(
        "Selu", kFloatTypes, [](const OperatorContext &context, const Expr &x) {
            const double alpha = context.node().real("alpha", 1.67326319217681884765625);
            const double gamma = context.node().real("gamma", 1.05070102214813232421875);
            return Halide::select(x < Halide::Internal::make_zero(x.type()),
                                  scaled_exponential_minus_one(x, gamma * alpha),
                                  x * Halide::Internal::make_const(x.type(), gamma));
        });
    return op;
}

}  // namespace emulsion
