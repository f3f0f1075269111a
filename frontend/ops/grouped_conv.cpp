// A convolution without padding whose groups are an axis (support/padded_planes.h), so that nothing asks which group a
// channel is of:
//
//     Y(n, g, c, h, w) = B(g, c) + sum of X(n, g, ci, h*sh + kh*dh, w*sw + kw*dw) * W(g, c, ci, kh, kw)
#include "frontend/ops/support/channels.h"
#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/reduction.h"
#include "frontend/ops/support/window.h"

namespace emulsion {

using Halide::Expr;
using Halide::Func;

namespace {

constexpr int kSpatialAxis = 3;  // the first one of all operands: behind batch, group and channels

std::vector<WindowAxis> windows_of(const OperatorContext &context) {
    const std::vector<int64_t> x = context.input_shape(0), weight = context.input_shape(1);
    const std::vector<int64_t> ones(x.size() - kSpatialAxis, 1);
    const std::vector<int64_t> strides = window_attribute(context, "strides", ones, 1);
    const std::vector<int64_t> dilations = window_attribute(context, "dilations", ones, 1);
    std::vector<WindowAxis> windows;
    for (size_t i = 0; i < ones.size(); i++) {
        windows.push_back(unpadded_window(context, x[i + kSpatialAxis], weight[i + kSpatialAxis],
                                          strides[i], dilations[i]));
    }
    return windows;
}

void check_grouped_conv(const OperatorContext &context) {
    require_type(context, 0, kFloatTypes);
    require_type_of_first(context, {1, 2});
    if (context.input(0).rank() <= kSpatialAxis) {
        refuse(context, "its operand has no axis of groups");
    }
    require_rank(context, 1, context.input(0).rank());
    const std::vector<int64_t> x = context.input_shape(0);
    std::vector<int64_t> weight = context.input_shape(1);
    weight[0] = x[1];
    weight[2] = x[2];
    require_shape(context, 1, weight, "groups and channels are those of the operand");
    if (context.has_input(2)) {
        require_shape(context, 2, {weight[0], weight[1]}, "there is one bias per channel");
    }
    std::vector<int64_t> shape = {x[0], x[1], weight[1]};
    for (const WindowAxis &window : windows_of(context)) {
        shape.push_back(window.output);
    }
    require_output(context, shape);
}

Func build_grouped_conv(OperatorContext &context) {
    const std::vector<WindowAxis> windows = windows_of(context);
    const Access x = context.operand(0), weight = context.operand(1);
    const std::vector<int64_t> weights = context.input_shape(1);
    const std::vector<Halide::Var> v = axes(context.input(0).rank());
    // Channels innermost, then the taps.
    std::vector<int64_t> extents(weights.rbegin(), weights.rend() - kSpatialAxis);
    extents.insert(extents.begin(), weights[2]);
    const std::vector<Expr> r = reduction_axes(extents);
    std::vector<Expr> at = {v[0], v[1], r[0]}, at_weight = {v[1], v[2], r[0]};
    for (size_t i = 0; i < windows.size(); i++) {
        const Expr tap = r[windows.size() - i];
        at.push_back(windows[i].position(v[i + kSpatialAxis], tap));
        at_weight.push_back(tap);
    }
    return convolution_sum(context, v, {v[1], v[2]}, x(at) * weight(at_weight));
}

}  // namespace

const Operator &onnx_grouped_conv() {
    static const Operator grouped_conv = {
        .type = "GroupedConv",
        .domain = kOwnDomain,
        .check = check_grouped_conv,
        .implementations =
            {{.name = "direct", .build = build_grouped_conv},
             {.name = "planar", .build = build_grouped_conv, .planar = true, .cpu_only = true}},
    };
    return grouped_conv;
}

}  // namespace emulsion
