// IsNaN: whether X is NaN.
#include "frontend/ops/support/ieee.h"
#include "frontend/ops/support/unary.h"

namespace emulsion {

using Halide::Expr;

const Operator &onnx_is_nan() {
    static const Operator op = unary_operator(
        "IsNaN", kFloatTypes, [](const Expr &x) { return is_not_a_number(x); }, DataType::Bool);
    return op;
}

}  // namespace emulsion
