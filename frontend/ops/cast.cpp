// Cast: the elements of X in the type that `to` names. `saturate` concerns types that are not
// supported.
#include "frontend/ops/support/convert.h"
#include "frontend/ops/support/unary.h"

namespace emulsion {

using Halide::Expr;

const Operator &onnx_cast() {
    static const Operator op = elementwise_operator({
        .type = "Cast",
        .check_operands =
            [](const OperatorContext &context) { require_type(context, 0, kAllTypes); },
        .function = [](const OperatorContext &context, const std::vector<Expr> &x) -> Expr {
            return convert(x.at(0), halide_type(target_type(context)));
        },
        .result_type = target_type,
    });
    return op;
}

}  // namespace emulsion
