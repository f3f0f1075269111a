// Min: the least of all operands, broadcast; NaN where one is NaN.
#include "frontend/ops/support/ieee.h"
#include "frontend/ops/support/variadic.h"

namespace emulsion {

using Halide::Expr;

const Operator &onnx_min() {
    static const Operator op = variadic_operator("Min", kNumericTypes, minimum);
    return op;
}

}  // namespace emulsion
