// Shape: the extents of the operand's axes from `start` up to, not including, `end`.
#include <algorithm>

#include "frontend/ops/support/checks.h"

namespace emulsion {

using Halide::Expr;
using Halide::Func;

namespace {

std::vector<int64_t> selected_extents(const OperatorContext &context) {
    const std::vector<int64_t> x = context.input_shape(0);
    const auto rank = static_cast<int64_t>(x.size());
    const auto bound = [&](const char *name, int64_t otherwise) {
        const int64_t axis = context.node().integer(name, otherwise);
        return std::clamp<int64_t>(axis < 0 ? axis + rank : axis, 0, rank);
    };
    const int64_t start = bound("start", 0);
    const int64_t end = std::max(start, bound("end", rank));
    return {x.begin() + start, x.begin() + end};
}

void check_shape(const OperatorContext &context) {
    require_result(context, {static_cast<int64_t>(selected_extents(context).size())},
                   DataType::I64);
}

Func build_shape(OperatorContext &context) {
    std::vector<Expr> extents;
    for (const int64_t extent : selected_extents(context)) {
        extents.push_back(Halide::Internal::make_const(Halide::Int(64), extent));
    }
    const std::vector<Halide::Var> v = axes(1);
    Func shape = context.func("");
    shape(v) = extents.size() == 1 ? extents[0] : Halide::mux(v[0], extents);
    return shape;
}

}  // namespace

const Operator &onnx_shape() {
    static const Operator shape = {
        .type = "Shape",
        .check = check_shape,
        .implementations = {{.name = "direct", .build = build_shape}},
        .compile_time_input = [](int) { return true; },
    };
    return shape;
}

}  // namespace emulsion
