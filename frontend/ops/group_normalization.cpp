// GroupNormalization (of opset 21): channels in num_groups equal groups; (x - mean) / sqrt(variance +
// epsilon) * scale + bias over the channels of a group and the axes behind them, scale and bias one per
// channel.
#include <fmt/format.h>

#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/normalization.h"

namespace emulsion {

using Halide::Expr;
using Halide::Func;

namespace {

void check_group_normalization(const OperatorContext &context) {
    require_type(context, 0, kFloatTypes);
    if (context.input(0).rank() < 2) {
        refuse(context, "operand 0 has no channel axis; rank 2 or more is needed");
    }
    require_stash_type(context);
    const std::vector<int64_t> x = context.input_shape(0);
    if (!context.node().has("num_groups")) {
        refuse(context, "attribute num_groups is missing");
    }
    const int64_t groups = context.node().integer("num_groups", 1);
    if (groups < 1 || x[1] % groups != 0) {
        refuse(context, fmt::format("attribute num_groups is {}; it must divide the {} channels",
                                    groups, x[1]));
    }
    for (const int index : {1, 2}) {
        require_type(context, index, {context.input(0).type});
        require_shape(context, index, {x[1]}, "there is one value per channel");
    }
    require_output(context, x);
}

Func build_group_normalization(OperatorContext &context) {
    const Access x = context.operand(0);
    const std::vector<int64_t> shape = context.input_shape(0);
    const Halide::Type type = halide_type(context.input(0).type);
    const Halide::Type stash = stash_type(context);
    const auto per_group = static_cast<int>(shape[1] / context.node().integer("num_groups", 1));
    const std::vector<Halide::Var> v = axes(static_cast<int>(shape.size()));
    const Halide::Var group("g");

    // A set is a group: its channels, then the axes behind them.
    std::vector<int64_t> extents(shape.begin() + 1, shape.end());
    extents[0] = per_group;
    const Moments m = moments(context, {v[0], group}, extents, [&](const std::vector<Expr> &along) {
        std::vector<Expr> at = {v[0], group * per_group + along[0]};
        at.insert(at.end(), along.begin() + 1, along.end());
        return Halide::cast(stash, x(at));
    });
    const Expr inverse = inverse_deviation(m.variance, context.node().real("epsilon", 1e-5));
    const Expr normalized = (Halide::cast(stash, x(to_exprs(v))) - m.mean) * inverse;
    Func result = context.func("");
    result(v) = Halide::cast(type, Halide::Internal::substitute(group.name(), v[1] / per_group,
                                                                normalized)) *
                    context.operand(1)({v[1]}) +
                context.operand(2)({v[1]});
    return result;
}

}  // namespace

const Operator &onnx_group_normalization() {
    static const Operator group_normalization = {
        .type = "GroupNormalization",
        .check = check_group_normalization,
        .implementations = {{.name = "direct", .build = build_group_normalization}},
    };
    return group_normalization;
}

}  // namespace emulsion
