// Mean: the mean of all operands, broadcast.
#include "frontend/ops/support/variadic.h"

namespace emulsion {

using Halide::Expr;

const Operator &onnx_mean() {
    static const Operator op = variadic_operator(
        "Mean", kFloatTypes, [](const Expr &a, const Expr &b) { return a + b; },
        [](const Expr &sum, int count) { return sum / count; });
    return op;
}

}  // namespace emulsion
