#include "frontend/ops/support/elementwise.h"

#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/flattened_pixels.h"

namespace emulsion {

using Halide::Expr;

namespace {

int operand_count(const OperatorContext &context) {
    return static_cast<int>(context.node().inputs.size());
}

void check_elementwise(const Elementwise &description, const OperatorContext &context) {
    description.check_operands(context);
    std::vector<int64_t> shape = context.input_shape(0);
    std::vector<Expr> placeholders;
    for (int i = 0; i < operand_count(context); i++) {
        shape = broadcast_shape(context, shape, context.input_shape(i));
        placeholders.push_back(
            Halide::Internal::Variable::make(halide_type(context.input(i).type), "x"));
    }
    const DataType type =
        description.result_type ? description.result_type(context) : context.input(0).type;
    require_result(context, shape, type);
    description.function(context, placeholders);  // for what it refuses
}

Halide::Func build_elementwise(const ElementFunction &function, OperatorContext &context) {
    const std::vector<int64_t> shape = context.result_shape();
    const std::vector<Halide::Var> v = axes(static_cast<int>(shape.size()));
    std::vector<Expr> elements;
    for (int i = 0; i < operand_count(context); i++) {
        const Access x = context.operand(i);
        elements.push_back(x(broadcast(to_exprs(v), context.input_shape(i), shape)));
    }
    Halide::Func result = context.func("");
    result(v) = function(context, elements);
    return result;
}

}  // namespace

Operator elementwise_operator(const Elementwise &description) {
    return {
        .type = description.type,
        .check = [description](
                     const OperatorContext &context) { check_elementwise(description, context); },
        .implementations = {{.name = "direct",
                             .build =
                                 [function = description.function](OperatorContext &context) {
                                     return build_elementwise(function, context);
                                 }},
                            flattened_elementwise()},
    };
}

}  // namespace emulsion
