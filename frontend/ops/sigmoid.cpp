// Sigmoid: Y = 1 / (1 + exp(-X)).
#include "frontend/ops/support/real_functions.h"
#include "frontend/ops/support/unary.h"

namespace emulsion {

using Halide::Expr;

const Operator &onnx_sigmoid() {
    static const Operator op =
        unary_operator("Sigmoid", kFloatTypes, [](const Expr &x) { return sigmoid(x); });
    return op;
}

}  // namespace emulsion
