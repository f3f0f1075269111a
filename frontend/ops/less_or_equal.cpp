// LessOrEqual: C = (A <= B), broadcast.
#include "frontend/ops/support/binary.h"
#include "frontend/ops/support/ieee.h"

namespace emulsion {

using Halide::Expr;

const Operator &onnx_less_or_equal() {
    static const Operator op = binary_operator(
        "LessOrEqual", kNumericTypes, [](const Expr &a, const Expr &b) { return less_equal(a, b); },
        DataType::Bool);
    return op;
}

}  // namespace emulsion
