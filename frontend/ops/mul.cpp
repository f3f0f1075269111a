// Mul: C = A * B, broadcast.
#include "frontend/ops/support/binary.h"

namespace emulsion {

const Operator &onnx_mul() {
    static const Operator mul =
        binary_operator("Mul", [](const Halide::Expr &a, const Halide::Expr &b) { return a * b; });
    return mul;
}

}  // namespace emulsion
