// Sum: the sum of all operands, broadcast.
#include "frontend/ops/support/variadic.h"

namespace emulsion {

using Halide::Expr;

const Operator &onnx_sum() {
    static const Operator op =
        variadic_operator("Sum", kFloatTypes, [](const Expr &a, const Expr &b) { return a + b; });
    return op;
}

}  // namespace emulsion
