// Or: C = A or B, broadcast.
#include "frontend/ops/support/binary.h"

namespace emulsion {

using Halide::Expr;

const Operator &onnx_or() {
    static const Operator op = binary_operator("Or", {DataType::Bool},
                                               [](const Expr &a, const Expr &b) { return a || b; });
    return op;
}

}  // namespace emulsion
