// HardSigmoid: Y = min(max(alpha X + beta, 0), 1).
#include "frontend/ops/support/unary.h"

namespace emulsion {

using Halide::Expr;

const Operator &onnx_hard_sigmoid() {
    static const Operator op = unary_operator_of_node(
        "HardSigmoid", kFloatTypes, [](const OperatorContext &context, const Expr &x) {
            const Expr alpha =
                Halide::Internal::make_const(x.type(), context.node().real("alpha", 0.2));
            const Expr beta =
                Halide::Internal::make_const(x.type(), context.node().real("beta", 0.5));
            return Halide::clamp(x * alpha + beta, Halide::Internal::make_zero(x.type()),
                                 Halide::Internal::make_one(x.type()));
        });
    return op;
}

}  // namespace emulsion
