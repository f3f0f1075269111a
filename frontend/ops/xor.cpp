// Xor: C = A xor B, broadcast.
#include "frontend/ops/support/binary.h"

namespace emulsion {

using Halide::Expr;

const Operator &onnx_xor() {
    static const Operator op = binary_operator("Xor", {DataType::Bool},
                                               [](const Expr &a, const Expr &b) { return a != b; });
    return op;
}

}  // namespace emulsion
