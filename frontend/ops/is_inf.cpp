// IsInf: whether X is +infinity (if detect_positive) or -infinity (if detect_negative).
#include "frontend/ops/support/ieee.h"
#include "frontend/ops/support/unary.h"

namespace emulsion {

using Halide::Expr;

const Operator &onnx_is_inf() {
    static const Operator op = unary_operator_of_node(
        "IsInf", kFloatTypes,
        [](const OperatorContext &context, const Expr &x) {
            Expr result = Halide::Internal::const_false();
            if (context.node().integer("detect_positive", 1) != 0) {
                result = result || is_positive_infinity(x);
            }
            if (context.node().integer("detect_negative", 1) != 0) {
                result = result || is_negative_infinity(x);
            }
            return result;
        },
        DataType::Bool);
    return op;
}

}  // namespace emulsion
