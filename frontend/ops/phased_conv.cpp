// A convolution without padding of images whose columns lie by their phase (support/padded_planes.h): with stride s along
// the last axis, columns p, s + p, 2 s + p, ... follow each other, so that windows beside each other read columns that are:
//
//     Y(n, c, h, w) = B(c) + sum of X(n, ci, h*sh + kh*dh, kw % s, w + kw / s) * W(c, ci, kh, kw)
//
// where output channel c sees the input channels of its group, and there are `windows` columns w.
#include "frontend/ops/support/channels.h"
#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/reduction.h"
#include "frontend/ops/support/window.h"

namespace emulsion {

using Halide::Expr;
using Halide::Func;

namespace {

constexpr int kFewestAxes = 4;  // batch, channels, phases, columns
constexpr size_t kSpatialAxis = 2;

// Over all spatial axes but the last one.
std::vector<WindowAxis> outer_windows(const OperatorContext &context) {
    const std::vector<int64_t> x = context.input_shape(0), weight = context.input_shape(1);
    const std::vector<int64_t> ones(x.size() - kFewestAxes, 1);
    const std::vector<int64_t> strides = window_attribute(context, "strides", ones, 1);
    const std::vector<int64_t> dilations = window_attribute(context, "dilations", ones, 1);
    std::vector<WindowAxis> windows;
    for (size_t i = 0; i < ones.size(); i++) {
        windows.push_back(unpadded_window(context, x[i + kSpatialAxis], weight[i + kSpatialAxis],
                                          strides[i], dilations[i]));
    }
    return windows;
}

int64_t phase_count(const OperatorContext &context) {
    const std::vector<int64_t> x = context.input_shape(0);
    return x[x.size() - 2];
}

void check_phased_conv(const OperatorContext &context) {
    require_type(context, 0, kFloatTypes);
    require_type_of_first(context, {1, 2});
    const int rank = context.input(0).rank();
    if (rank < kFewestAxes) {
        refuse(context, "its operand has no axis of phases");
    }
    require_rank(context, 1, rank - 1);
    require_convolution_weights(context);
    const std::vector<int64_t> x = context.input_shape(0), weight = context.input_shape(1);
    std::vector<int64_t> shape = {x[0], weight[0]};
    for (const WindowAxis &window : outer_windows(context)) {
        shape.push_back(window.output);
    }
    const int64_t windows = context.node().integer("windows", 0), kernel = weight.back();
    if (kernel < 1 || windows < 1 || (kernel - 1) / phase_count(context) > x.back() - windows) {
        refuse(context, "its windows are larger than the operand");
    }
    shape.push_back(windows);
    require_output(context, shape);
}

Func build_phased_conv(OperatorContext &context) {
    const std::vector<WindowAxis> outer = outer_windows(context);
    const auto phases = static_cast<int>(phase_count(context));
    const Access x = context.operand(0), weight = context.operand(1);
    const std::vector<int64_t> weights = context.input_shape(1);
    const int64_t group = context.node().integer("group", 1);
    const ChannelGroups channels = {
        .group = group, .in_per_group = weights[1], .out_per_group = weights[0] / group};
    const std::vector<Halide::Var> v = axes(static_cast<int>(weights.size()));
    // Channels innermost, then the taps. Of a single channel, the taps alone are summed over.
    std::vector<int64_t> extents(weights.rbegin(), weights.rend() - kSpatialAxis);
    if (channels.in_per_group != 1) {
        extents.insert(extents.begin(), channels.in_per_group);
    }
    const std::vector<Expr> r = reduction_axes(extents);
    const Expr channel = channels.in_per_group == 1 ? Expr(0) : r[0];
    std::vector<Expr> at = {v[0], channels.input(v[1], channel)}, at_weight = {v[1], channel};
    for (size_t i = 0; i <= outer.size(); i++) {
        const Expr tap = r[r.size() - 1 - i];
        at_weight.push_back(tap);
        if (i < outer.size()) {
            at.push_back(outer[i].position(v[i + kSpatialAxis], tap));
        } else {
            at.insert(at.end(), {tap % phases, v.back() + tap / phases});
        }
    }
    return convolution_sum(context, v, {v[1]}, x(at) * weight(at_weight));
}

}  // namespace

const Operator &onnx_phased_conv() {
    static const Operator phased_conv = {
        .type = "PhasedConv",
        .domain = kOwnDomain,
        .check = check_phased_conv,
        .implementations =
            {{.name = "direct", .build = build_phased_conv},
             {.name = "planar", .build = build_phased_conv, .planar = true, .cpu_only = true}},
    };
    return phased_conv;
}

}  // namespace emulsion
