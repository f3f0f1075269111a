// ConvTranspose over one or more spatial axes: Y(n, c, o...) = B(c) + sum of X(n, ci, i...) *
// W(ci, c', k...) over the input channels ci of the group of c and the pairs (i, k) that meet at o along
// every axis (support/transposed_window.h); c' is c counted inside its group.
#include "frontend/ops/support/channels.h"
#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/convolution_of_phases.h"
#include "frontend/ops/support/reduction.h"
#include "frontend/ops/support/transposed_window.h"
#include "frontend/ops/support/window.h"

namespace emulsion {

using Halide::Expr;
using Halide::Func;

namespace {

void check_conv_transpose(const OperatorContext &context) {
    require_type(context, 0, kFloatTypes);
    require_type_of_first(context, {1, 2});
    require_spatial_axes(context, 0);
    require_rank(context, 1, context.input(0).rank());
    const std::vector<int64_t> x = context.input_shape(0);
    std::vector<int64_t> weight = context.input_shape(1);
    const int64_t group = checked_group(context, x[1], x[1]);
    weight[0] = x[1];
    require_shape(context, 1, weight, "the first extent is the number of input channels");
    const int64_t out = count_elements(context, {weight[1], group});
    if (context.has_input(2)) {
        require_shape(context, 2, {out}, "there is one bias per output channel");
    }
    std::vector<int64_t> shape = {x[0], out};
    for (const TransposedAxis &axis : transposed_axes(context, checked_kernel(context))) {
        shape.push_back(axis.output);
    }
    require_output(context, shape);
}

Access padded_input(OperatorContext &context, const std::vector<TransposedAxis> &windows) {
    Padding padding = {.margin = {{}, {}}, .value = 0.0};
    bool leaves_tensor = false;
    for (const TransposedAxis &axis : windows) {
        padding.margin.push_back(axis.margin());
        leaves_tensor |= axis.margin() != Margin{};
    }
    return leaves_tensor ? context.padded_operand(0, padding) : context.operand(0);
}

Func build_conv_transpose(OperatorContext &context) {
    const std::vector<TransposedAxis> windows = transposed_axes(context, checked_kernel(context));
    const Access x = padded_input(context, windows);
    const Access weight = context.operand(1);
    const int64_t group = context.node().integer("group", 1);
    const ChannelGroups channels = {.group = group,
                                    .in_per_group = context.input_shape(0)[1] / group,
                                    .out_per_group = context.input_shape(1)[1]};
    const std::vector<Halide::Var> v = axes(context.input(0).rank());
    const Halide::Var &c = v[1];

    // Channels innermost, then the steps of the axes.
    std::vector<int64_t> extents = {channels.in_per_group};
    for (size_t i = windows.size(); i-- > 0;) {
        extents.push_back(windows[i].steps());
    }
    const std::vector<Expr> r = reduction_axes(extents);

    const Expr channel = channels.input(c, r[0]);
    std::vector<Expr> at = {v[0], channel};
    std::vector<Expr> at_weight = {channel, channels.output_in_group(c)};
    Expr counts;
    for (size_t i = 0; i < windows.size(); i++) {
        const Expr &step = r[windows.size() - i];
        const Halide::Var &o = v[i + 2];
        at.push_back(windows[i].position(o, step));
        at_weight.push_back(windows[i].tap(o, step));
        const Expr axis_counts = windows[i].counts(o, step);
        if (axis_counts.defined()) {
            counts = counts.defined() ? counts && axis_counts : axis_counts;
        }
    }
    Expr factor = weight(at_weight);
    if (counts.defined()) {
        factor = Halide::select(counts, factor, Halide::Internal::make_zero(factor.type()));
    }
    return convolution_sum(context, v, {c}, x(at) * factor);
}

}  // namespace

const Operator &onnx_conv_transpose() {
    static const Operator conv_transpose = {
        .type = "ConvTranspose",
        .check = check_conv_transpose,
        .implementations = {{.name = "direct", .build = build_conv_transpose},
                            convolution_of_phases(),
                            planes_of_phases()},
    };
    return conv_transpose;
}

}  // namespace emulsion
