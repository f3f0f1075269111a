// ThresholdedRelu: Y = X for X > alpha, else 0.
#include "frontend/ops/support/unary.h"

namespace emulsion {

using Halide::Expr;

const Operator &onnx_thresholded_relu() {
    static const Operator op = unary_operator_of_node(
        "ThresholdedRelu", kFloatTypes, [](const OperatorContext &context, const Expr &x) {
            const Expr alpha =
                Halide::Internal::make_const(x.type(), context.node().real("alpha", 1.0));
            return Halide::select(x > alpha, x, Halide::Internal::make_zero(x.type()));
        });
    return op;
}

}  // namespace emulsion
