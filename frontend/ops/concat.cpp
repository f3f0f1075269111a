// Concat: operands one after another along `axis`. Every operand is read inside of itself, wherever
// the result is asked for, and selected from there.
#include <fmt/format.h>

#include "frontend/ops/support/checks.h"

namespace emulsion {

using Halide::Expr;
using Halide::Func;

namespace {

int count_of_parts(const OperatorContext &context) {
    return static_cast<int>(context.node().inputs.size());
}

int concat_axis(const OperatorContext &context) {
    if (!context.node().has("axis")) {
        refuse(context, "attribute axis is missing");
    }
    return normalize_axis(context, context.node().integer("axis", 0), context.input(0).rank(),
                          "attribute axis");
}

void check_concat(const OperatorContext &context) {
    const auto axis = static_cast<size_t>(concat_axis(context));
    std::vector<int64_t> shape = context.input_shape(0);
    for (int i = 1; i < count_of_parts(context); i++) {
        require_type(context, i, {context.input(0).type});
        require_rank(context, i, static_cast<int>(shape.size()));
        const int64_t extent = context.input_shape(i)[axis];
        std::vector<int64_t> expected = shape;
        expected[axis] = extent;
        require_shape(context, i, expected,
                      fmt::format("extents may differ along axis {} only", axis));
        shape[axis] += extent;
    }
    require_output(context, shape);
}

Func build_concat(OperatorContext &context) {
    const int count = count_of_parts(context);
    const auto axis = static_cast<size_t>(concat_axis(context));
    const std::vector<Halide::Var> v = axes(context.input(0).rank());
    // From the last operand to the first: one select for each that has another behind it.
    auto start = static_cast<int>(context.result_shape()[axis]);
    Expr value;
    for (int i = count - 1; i >= 0; i--) {
        const auto extent = static_cast<int>(context.input_shape(i)[axis]);
        start -= extent;
        std::vector<Expr> at = to_exprs(v);
        if (count > 1) {
            at[axis] = Halide::clamp(v[axis] - start, 0, extent - 1);
        }
        const Expr own = context.operand(i)(at);
        value = value.defined() ? Halide::select(v[axis] < start + extent, own, value) : own;
    }
    Func result = context.func("");
    result(v) = value;
    return result;
}

}  // namespace

const Operator &onnx_concat() {
    static const Operator concat = {
        .type = "Concat",
        .check = check_concat,
        .implementations = {{.name = "direct", .build = build_concat}},
        .concatenation_axis = concat_axis,
    };
    return concat;
}

}  // namespace emulsion
