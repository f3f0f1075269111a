// Max: the greatest of all operands, broadcast; NaN where one is NaN.
#include "frontend/ops/support/ieee.h"
#include "frontend/ops/support/variadic.h"

namespace emulsion {

using Halide::Expr;

const Operator &onnx_max() {
    static const Operator op = variadic_operator("Max", kNumericTypes, maximum);
    return op;
}

}  // namespace emulsion
