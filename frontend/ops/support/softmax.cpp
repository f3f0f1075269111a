#include "frontend/ops/support/softmax.h"

#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/real_functions.h"
#include "frontend/ops/support/reduction.h"

namespace emulsion {

using Halide::Expr;
using Halide::Func;

int softmax_axis(const OperatorContext &context) {
    return normalize_axis(context, context.node().integer("axis", -1), context.input(0).rank(),
                          "attribute axis");
}

void check_softmax(const OperatorContext &context) {
    require_type(context, 0, kFloatTypes);
    softmax_axis(context);
    require_output(context, context.input_shape(0));
}

Operator softmax_operator(const std::string &type,
                          std::function<Expr(const SoftmaxTerms &)> function) {
    const auto build = [function = std::move(function)](OperatorContext &context) {
        const Access x = context.operand(0);
        const ReducedAxes reduced(context.input_shape(0), {softmax_axis(context)});
        const std::vector<Halide::Var> v = axes(context.input(0).rank());
        const std::vector<Halide::Var> kept = reduced.kept(v);
        const std::vector<Expr> along = reduced.coordinates(to_exprs(kept));

        Func largest = max_over(context, "max", kept, x(along));
        const Expr shifted = x(to_exprs(v)) - largest(kept);
        Func power = context.func("exp");
        power(v) = exponential_of_negative(shifted);
        Func sum = sum_over(context, "sum", kept, power(along));
        Func result = context.func("");
        result(v) = function({.shifted = shifted, .power = power(v), .sum = sum(kept)});
        return result;
    };
    return {
        .type = type,
        .check = check_softmax,
        .implementations = {{.name = "direct", .build = build}},
    };
}

}  // namespace emulsion
