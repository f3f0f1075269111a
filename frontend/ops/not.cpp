// Not: Y = not X.
#include "frontend/ops/support/unary.h"

namespace emulsion {

using Halide::Expr;

const Operator &onnx_not() {
    static const Operator op =
        unary_operator("Not", {DataType::Bool}, [](const Expr &x) { return !x; });
    return op;
}

}  // namespace emulsion
