// Shrink: Y = X + bias for X < -lambd, X - bias for X > lambd, else 0. Integers are computed as reals
// and rounded towards zero.
#include "frontend/ops/support/convert.h"
#include "frontend/ops/support/unary.h"

namespace emulsion {

using Halide::Expr;

const Operator &onnx_shrink() {
    static const Operator op = unary_operator_of_node(
        "Shrink", kNumericTypes, [](const OperatorContext &context, const Expr &x) {
            const Halide::Type real = x.type() == Halide::Float(32) ? x.type() : Halide::Float(64);
            const auto attribute = [&](const char *name, double usual) {
                return Halide::Internal::make_const(real, context.node().real(name, usual));
            };
            const Expr lambda = attribute("lambd", 0.5);
            const Expr bias = attribute("bias", 0.0);
            const Expr value = Halide::cast(real, x);
            const Expr shrunk = Halide::select(value<-lambda, value + bias, value> lambda,
                                               value - bias, Halide::Internal::make_zero(real));
            return convert(shrunk, x.type());
        });
    return op;
}

}  // namespace emulsion
