#include "frontend/ops/support/binary.h"

#include "frontend/ops/support/checks.h"

namespace emulsion {

namespace {

void check(const OperatorContext &context) {
    require_type(context, 0, kNumericTypes);
    require_type(context, 1, {context.input(0).type});
    require_output(context,
                   broadcast_shape(context, context.input_shape(0), context.input_shape(1)));
}

}  // namespace

Operator binary_operator(const std::string &type, const BinaryFunction &function) {
    const auto build = [function](OperatorContext &context) -> std::vector<Halide::Func> {
        const Access a = context.operand(0);
        const Access b = context.operand(1);
        const std::vector<int64_t> shape = context.output_shape(0);
        const std::vector<Halide::Var> v = axes(static_cast<int>(shape.size()));
        const std::vector<Halide::Expr> at = to_exprs(v);
        Halide::Func result = context.func("");
        result(v) = function(a(broadcast(at, context.input_shape(0), shape)),
                             b(broadcast(at, context.input_shape(1), shape)));
        return {result};
    };
    return {
        .type = type,
        .check = check,
        .implementations = {{.name = "direct", .build = build}},
    };
}

}  // namespace emulsion
