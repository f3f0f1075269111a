// Add: C = A + B, broadcast.
#include "frontend/ops/support/binary.h"

namespace emulsion {

const Operator &onnx_add() {
    static const Operator add =
        binary_operator("Add", [](const Halide::Expr &a, const Halide::Expr &b) { return a + b; });
    return add;
}

}  // namespace emulsion
