#include "frontend/ops/support/variadic.h"

namespace emulsion {

using Halide::Expr;

Operator variadic_operator(const std::string &type, const std::vector<DataType> &accepted,
                           const BinaryFunction &function) {
    return variadic_operator(type, accepted, function,
                             [](const Expr &result, int) { return result; });
}

Operator variadic_operator(const std::string &type, const std::vector<DataType> &accepted,
                           const BinaryFunction &function,
                           const std::function<Expr(const Expr &, int count)> &finish) {
    return elementwise_operator({
        .type = type,
        .check_operands =
            [accepted](const OperatorContext &context) {
                require_type(context, 0, accepted);
                for (int i = 1; i < static_cast<int>(context.node().inputs.size()); i++) {
                    require_type(context, i, {context.input(0).type});
                }
            },
        .function =
            [function, finish](const OperatorContext &, const std::vector<Expr> &x) {
                Expr result = x.at(0);
                for (size_t i = 1; i < x.size(); i++) {
                    result = function(result, x[i]);
                }
                return finish(result, static_cast<int>(x.size()));
            },
        .result_type = {},
    });
}

}  // namespace emulsion
