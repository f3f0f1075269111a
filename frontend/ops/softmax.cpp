// Softmax along one axis: exp(x) / sum of exp(x).
#include "frontend/ops/support/softmax.h"
#include "frontend/ops/support/real_functions.h"

namespace emulsion {

using Halide::Expr;

const Operator &onnx_softmax() {
    static const Operator softmax = softmax_operator(
        "Softmax", [](const Expr &shifted, const Expr &sum) { return exponential(shifted) / sum; });
    return softmax;
}

}  // namespace emulsion
