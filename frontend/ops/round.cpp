// Round: Y = X rounded to the nearest integer, halves to even ones.
#include "frontend/ops/support/unary.h"

namespace emulsion {

using Halide::Expr;

const Operator &onnx_round() {
    static const Operator op =
        unary_operator("Round", kFloatTypes, [](const Expr &x) { return Halide::round(x); });
    return op;
}

}  // namespace emulsion
