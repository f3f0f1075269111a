#include "frontend/ops/support/arg_extreme.h"

#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/reduction.h"

namespace emulsion {

using Halide::Expr;
using Halide::Func;

namespace {

int arg_axis(const OperatorContext &context) {
    return normalize_axis(context, context.node().integer("axis", 0), context.input(0).rank(),
                          "attribute axis");
}

bool keeps_axis(const OperatorContext &context) {
    return context.node().integer("keepdims", 1) != 0;
}

void check_arg_extreme(const OperatorContext &context) {
    require_type(context, 0, kNumericTypes);
    const ReducedAxes reduced(context.input_shape(0), {arg_axis(context)});
    require_result(context, reduced.result_shape(keeps_axis(context)), DataType::I64);
}

}  // namespace

Expr arg_extreme(OperatorContext &context, int axis, Extreme extreme, bool last,
                 const std::vector<Halide::Var> &kept) {
    const Access x = context.operand(0);
    const ReducedAxes reduced(context.input_shape(0), {axis});
    const auto candidate = [&]() -> Candidate {
        const std::vector<Expr> at = reduced.coordinates(to_exprs(kept));
        return {x(at), at[static_cast<size_t>(axis)]};
    };
    const int extent = static_cast<int>(reduced.count());
    return position_of_extreme(context, kept, candidate, extent, extreme, last);
}

Operator arg_operator(const std::string &type, Extreme extreme) {
    const auto build = [extreme](OperatorContext &context) {
        const int axis = arg_axis(context);
        const ReducedAxes reduced(context.input_shape(0), {axis});
        const std::vector<Halide::Var> v = axes(context.result().rank());
        const bool last = context.node().integer("select_last_index", 0) != 0;
        const Expr position =
            arg_extreme(context, axis, extreme, last, keeps_axis(context) ? reduced.kept(v) : v);
        Func result = context.func("");
        result(v) = Halide::cast(Halide::Int(64), position);
        return result;
    };
    return {
        .type = type,
        .check = check_arg_extreme,
        .implementations = {{.name = "direct", .build = build}},
    };
}

}  // namespace emulsion
