// Abs: Y = |X|; that of the lowest integer wraps around to itself.
#include "frontend/ops/support/unary.h"

namespace emulsion {

using Halide::Expr;

const Operator &onnx_abs() {
    static const Operator op = unary_operator("Abs", kNumericTypes, [](const Expr &x) {
        return x.type().is_uint() ? x : Halide::cast(x.type(), Halide::abs(x));
    });
    return op;
}

}  // namespace emulsion
