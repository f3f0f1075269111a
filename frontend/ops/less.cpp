// Less: C = (A < B), broadcast.
#include "frontend/ops/support/binary.h"
#include "frontend/ops/support/ieee.h"

namespace emulsion {

using Halide::Expr;

const Operator &onnx_less() {
    static const Operator op = binary_operator(
        "Less", kNumericTypes, [](const Expr &a, const Expr &b) { return less(a, b); },
        DataType::Bool);
    return op;
}

}  // namespace emulsion
