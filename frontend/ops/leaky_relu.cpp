// LeakyRelu: Y = X for X >= 0, else alpha X.
#include "frontend/ops/support/unary.h"

namespace emulsion {

using Halide::Expr;

const Operator &onnx_leaky_relu() {
    static const Operator op = unary_operator_of_node(
        "LeakyRelu", kFloatTypes, [](const OperatorContext &context, const Expr &x) {
            const double alpha = context.node().real("alpha", 0.01);
            const Expr scaled = x * Halide::Internal::make_const(x.type(), alpha);
            return alpha >= 0.0 && alpha <= 1.0
                       ? Halide::max(x, scaled)
                       : Halide::select(x < Halide::Internal::make_zero(x.type()), scaled, x);
        });
    return op;
}

}  // namespace emulsion
