// Greater: C = (A > B), broadcast.
#include "frontend/ops/support/binary.h"
#include "frontend/ops/support/ieee.h"

namespace emulsion {

using Halide::Expr;

const Operator &onnx_greater() {
    static const Operator op = binary_operator(
        "Greater", kNumericTypes, [](const Expr &a, const Expr &b) { return less(b, a); },
        DataType::Bool);
    return op;
}

}  // namespace emulsion
