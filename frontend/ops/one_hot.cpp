// OneHot: a new axis of `depth` elements, of which the one that the index names (from the end if
// negative) is values[1] and the others are values[0]. An index out of range names none.
#include <fmt/format.h>
#include <limits>

#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/constants.h"

namespace emulsion {

using Halide::Expr;
using Halide::Func;

namespace {

constexpr int kOneHotIndices = 0;
constexpr int kDepth = 1;
constexpr int kValues = 2;

int64_t depth_of(const OperatorContext &context) {
    require_type(context, kDepth, kNumericTypes);
    constant_scalar(context, kDepth);
    const double depth = constant_reals(context, kDepth)[0];
    if (!(depth >= 1.0 && depth <= std::numeric_limits<int32_t>::max())) {
        refuse(context, fmt::format("operand depth is {}; it must be in [1, 2^31)", depth));
    }
    return static_cast<int64_t>(depth);
}

int new_axis(const OperatorContext &context) {
    return normalize_axis(context, context.node().integer("axis", -1), context.result().rank(),
                          "attribute axis");
}

void check_one_hot(const OperatorContext &context) {
    require_type(context, kOneHotIndices, kNumericTypes);
    require_rank(context, kValues, 1);
    require_shape(context, kValues, {2}, "there is one value for off and one for on");
    const int64_t depth = depth_of(context);
    std::vector<int64_t> shape = context.input_shape(kOneHotIndices);
    const auto rank = static_cast<int>(shape.size()) + 1;
    const int axis =
        normalize_axis(context, context.node().integer("axis", -1), rank, "attribute axis");
    shape.insert(shape.begin() + axis, depth);
    require_result(context, shape, context.input(kValues).type);
}

Func build_one_hot(OperatorContext &context) {
    const Access indices = context.operand(kOneHotIndices);
    const Access values = context.operand(kValues);
    const Expr depth = Halide::Internal::make_const(Halide::Int(64), depth_of(context));
    const int axis = new_axis(context);
    const std::vector<Halide::Var> v = axes(context.result().rank());
    std::vector<Expr> at = to_exprs(v);
    at.erase(at.begin() + axis);
    const Expr index = Halide::cast<int64_t>(indices(at));
    const Expr here = Halide::cast<int64_t>(v[static_cast<size_t>(axis)]);
    Func one_hot = context.func("");
    one_hot(v) = Halide::select(index == here || index + depth == here, values({1}), values({0}));
    return one_hot;
}

}  // namespace

const Operator &onnx_one_hot() {
    static const Operator one_hot = {
        .type = "OneHot",
        .check = check_one_hot,
        .implementations = {{.name = "direct", .build = build_one_hot}},
        .compile_time_input = [](int index) { return index == kDepth; },
    };
    return one_hot;
}

}  // namespace emulsion
