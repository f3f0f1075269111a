// Gather: Y(a..., i..., b...) = X(a..., I(i...), b...), where I stands in place of axis `axis`.
#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/indices.h"

namespace emulsion {

using Halide::Expr;
using Halide::Func;

namespace {

int gather_axis(const OperatorContext &context) {
    return normalize_axis(context, context.node().integer("axis", 0), context.input(0).rank(),
                          "attribute axis");
}

void check_gather(const OperatorContext &context) {
    require_type(context, 1, kIndexTypes);
    const auto axis = gather_axis(context);
    std::vector<int64_t> shape = context.input_shape(0);
    const std::vector<int64_t> indices = context.input_shape(1);
    shape.erase(shape.begin() + axis);
    shape.insert(shape.begin() + axis, indices.begin(), indices.end());
    require_output(context, shape);
}

Func build_gather(OperatorContext &context) {
    const Access x = context.operand(0);
    const Access indices = context.operand(1);
    const std::vector<int64_t> shape = context.input_shape(0);
    const int axis = gather_axis(context);
    const auto index_rank = static_cast<ptrdiff_t>(context.input(1).rank());
    const std::vector<Halide::Var> v = axes(context.result().rank());
    std::vector<Expr> at = to_exprs(v);
    const auto first = at.begin() + axis;
    const Expr index = indices({first, first + index_rank});
    at.erase(first, first + index_rank);
    at.insert(at.begin() + axis, index_coordinate(index, shape[static_cast<size_t>(axis)]));
    Func gather = context.func("");
    gather(v) = x(at);
    return gather;
}

}  // namespace

const Operator &onnx_gather() {
    static const Operator gather = {
        .type = "Gather",
        .check = check_gather,
        .implementations = {{.name = "direct", .build = build_gather}},
    };
    return gather;
}

}  // namespace emulsion
