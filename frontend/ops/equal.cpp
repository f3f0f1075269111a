// Equal: C = (A == B), broadcast.
#include "frontend/ops/support/binary.h"
#include "frontend/ops/support/ieee.h"

namespace emulsion {

using Halide::Expr;

const Operator &onnx_equal() {
    static const Operator op = binary_operator(
        "Equal", kAllTypes, [](const Expr &a, const Expr &b) { return equal(a, b); },
        DataType::Bool);
    return op;
}

}  // namespace emulsion
