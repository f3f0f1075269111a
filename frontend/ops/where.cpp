// Where: Z = X where the condition holds, else Y; all three are broadcast.
#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/elementwise.h"

namespace emulsion {

const Operator &onnx_where() {
    static const Operator op = elementwise_operator({
        .type = "Where",
        .check_operands =
            [](const OperatorContext &context) {
                require_type(context, 0, {DataType::Bool});
                require_type(context, 1, kAllTypes);
                require_type(context, 2, {context.input(1).type});
            },
        .function = [](const OperatorContext &, const std::vector<Halide::Expr> &x)
            -> Halide::Expr { return Halide::select(x.at(0), x.at(1), x.at(2)); },
        .result_type = [](const OperatorContext &context) { return context.input(1).type; },
    });
    return op;
}

}  // namespace emulsion
