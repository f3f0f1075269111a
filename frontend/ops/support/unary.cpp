#include "frontend/ops/support/unary.h"

namespace emulsion {

using Halide::Expr;

Operator unary_operator(const std::string &type, const std::vector<DataType> &accepted,
                        const UnaryFunction &function, std::optional<DataType> result) {
    return unary_operator_of_node(
        type, accepted, [function](const OperatorContext &, const Expr &x) { return function(x); },
        result);
}

Operator unary_operator_of_node(const std::string &type, const std::vector<DataType> &accepted,
                                const UnaryFunctionOfNode &function,
                                std::optional<DataType> result) {
    return elementwise_operator({
        .type = type,
        .check_operands =
            [accepted](const OperatorContext &context) { require_type(context, 0, accepted); },
        .function = [function](const OperatorContext &context,
                               const std::vector<Expr> &x) { return function(context, x.at(0)); },
        .result_type =
            [result](const OperatorContext &context) {
                return result.value_or(context.input(0).type);
            },
    });
}

}  // namespace emulsion
