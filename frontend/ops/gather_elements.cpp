// GatherElements: Y(..., i, ...) = X(..., I(..., i, ...), ...), where the index stands on axis `axis`.
#include <fmt/format.h>

#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/indices.h"

namespace emulsion {

using Halide::Expr;
using Halide::Func;

namespace {

size_t gather_elements_axis(const OperatorContext &context) {
    return static_cast<size_t>(normalize_axis(context, context.node().integer("axis", 0),
                                              context.input(0).rank(), "attribute axis"));
}

void check_gather_elements(const OperatorContext &context) {
    require_type(context, 1, kIndexTypes);
    const size_t axis = gather_elements_axis(context);
    require_rank(context, 1, context.input(0).rank());
    const std::vector<int64_t> x = context.input_shape(0);
    const std::vector<int64_t> indices = context.input_shape(1);
    for (size_t i = 0; i < x.size(); i++) {
        if (i != axis && indices[i] > x[i]) {
            refuse(context,
                   fmt::format("{} has shape {}: along axis {} the tensor of shape {} is "
                               "shorter",
                               describe_input(context, 1), to_string(indices), i, to_string(x)));
        }
    }
    require_output(context, indices);
}

Func build_gather_elements(OperatorContext &context) {
    const Access x = context.operand(0);
    const Access indices = context.operand(1);
    const size_t axis = gather_elements_axis(context);
    const std::vector<Halide::Var> v = axes(context.input(0).rank());
    std::vector<Expr> at = to_exprs(v);
    at[axis] = index_coordinate(indices(to_exprs(v)), context.input_shape(0)[axis]);
    Func gather = context.func("");
    gather(v) = x(at);
    return gather;
}

}  // namespace

const Operator &onnx_gather_elements() {
    static const Operator gather_elements = {
        .type = "GatherElements",
        .check = check_gather_elements,
        .implementations = {{.name = "direct", .build = build_gather_elements}},
    };
    return gather_elements;
}

}  // namespace emulsion
