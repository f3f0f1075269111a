// And: C = A and B, broadcast.
#include "frontend/ops/support/binary.h"

namespace emulsion {

using Halide::Expr;

const Operator &onnx_and() {
    static const Operator op = binary_operator("And", {DataType::Bool},
                                               [](const Expr &a, const Expr &b) { return a && b; });
    return op;
}

}  // namespace emulsion
