#include "frontend/ops/support/binary.h"

namespace emulsion {

using Halide::Expr;

Operator binary_operator(const std::string &type, const std::vector<DataType> &accepted,
                         const BinaryFunction &function, std::optional<DataType> result) {
    return binary_operator_of_node(
        type, accepted,
        [function](const OperatorContext &, const Expr &a, const Expr &b) {
            return function(a, b);
        },
        result);
}

Operator binary_operator_of_node(const std::string &type, const std::vector<DataType> &accepted,
                                 const BinaryFunctionOfNode &function,
                                 std::optional<DataType> result) {
    return elementwise_operator({
        .type = type,
        .check_operands =
            [accepted](const OperatorContext &context) {
                require_type(context, 0, accepted);
                require_type(context, 1, {context.input(0).type});
            },
        .function =
            [function](const OperatorContext &context, const std::vector<Expr> &x) {
                return function(context, x.at(0), x.at(1));
            },
        .result_type =
            [result](const OperatorContext &context) {
                return result.value_or(context.input(0).type);
            },
    });
}

}  // namespace emulsion
