// Log: Y = ln X.
#include "frontend/ops/support/real_functions.h"
#include "frontend/ops/support/unary.h"

namespace emulsion {

using Halide::Expr;

const Operator &onnx_log() {
    static const Operator op =
        unary_operator("Log", kFloatTypes, [](const Expr &x) { return logarithm(x); });
    return op;
}

}  // namespace emulsion
