// Conv over one or more spatial axes, in 2-D: Y(n, c, h, w) = B(c) + sum of
// X(n, ci, h*sh + kh*dh - ph, w*sw + kw*dw - pw) * W(c, ci, kh, kw), where output channel c sees the
// input channels of its group.
#include "frontend/ops/support/channels.h"
#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/flattened_pixels.h"
#include "frontend/ops/support/padded_planes.h"
#include "frontend/ops/support/reduction.h"
#include "frontend/ops/support/window.h"
#include "frontend/ops/support/winograd.h"

namespace emulsion {

using Halide::Expr;
using Halide::Func;

namespace {

std::vector<WindowAxis> convolution_windows(const OperatorContext &context) {
    return window_axes(context, checked_kernel(context));
}

void check_conv(const OperatorContext &context) {
    require_type(context, 0, kFloatTypes);
    require_type_of_first(context, {1, 2});
    require_spatial_axes(context, 0);
    require_rank(context, 1, context.input(0).rank());
    require_convolution_weights(context);
    const std::vector<WindowAxis> windows = convolution_windows(context);
    require_output(context, window_output_shape(context.input_shape(0)[0],
                                                context.input_shape(1)[0], windows));
}

// `live_rows_only`: taps of a row that lies in the padding are left out.
Func conv_of(OperatorContext &context, bool live_rows_only) {
    const std::vector<WindowAxis> windows = convolution_windows(context);
    const Access x = windowed_operand(context, windows, 0.0);
    const Access weight = context.operand(1);
    const std::vector<int64_t> weight_shape = context.input_shape(1);
    const int64_t group = context.node().integer("group", 1);
    const ChannelGroups channels = {
        .group = group, .in_per_group = weight_shape[1], .out_per_group = weight_shape[0] / group};
    const std::vector<Halide::Var> v = axes(context.input(0).rank());
    const Halide::Var &c = v[1];

    // Channels innermost, then the taps. Of a single channel, the taps alone are summed over.
    std::vector<int64_t> extents(weight_shape.rbegin(), weight_shape.rend() - 2);
    if (channels.in_per_group != 1) {
        extents.insert(extents.begin(), channels.in_per_group);
    }
    const std::vector<Expr> r = reduction_axes(extents);
    const Expr ci = channels.in_per_group == 1 ? Expr(0) : r[0];
    const std::vector<Expr> taps(r.rbegin(), r.rbegin() + static_cast<ptrdiff_t>(windows.size()));

    std::vector<Expr> at = to_exprs(v);
    at[1] = channels.input(c, ci);
    std::vector<Expr> at_weight = {c, ci};
    at_weight.insert(at_weight.end(), taps.begin(), taps.end());

    if (live_rows_only) {
        const Expr row = windows[0].position(v[2], taps[0]);
        Halide::RDom domain(taps[0].as<Halide::Internal::Variable>()->reduction_domain);
        domain.where(row >= 0);
        domain.where(row < static_cast<int>(windows[0].input));
    }
    return convolution_sum(context, v, {c},
                           x(window_coordinates(windows, at, taps)) * weight(at_weight));
}

Func build_conv(OperatorContext &context) { return conv_of(context, false); }

// Of the rows of taps, over all windows, at least so many have to lie in the padding.
constexpr double kManyDeadRows = 0.25;
constexpr int64_t kMostRows = 4096;  // of which such a share can be

bool has_dead_rows(const OperatorContext &context) {
    if (context.input(0).rank() != 4 || context.input_shape(1)[1] == 1) {
        return false;
    }
    const WindowAxis rows = convolution_windows(context).front();
    if (rows.kernel == 1 || rows.output > kMostRows || rows.kernel > kMostRows) {
        return false;
    }
    int64_t dead = 0;
    for (int64_t window = 0; window < rows.output; window++) {
        for (int64_t tap = 0; tap < rows.kernel; tap++) {
            const int64_t at = window * rows.stride + tap * rows.dilation - rows.pad_before;
            dead += at < 0 || at >= rows.input ? 1 : 0;
        }
    }
    return static_cast<double>(dead) >=
           kManyDeadRows * static_cast<double>(rows.output * rows.kernel);
}

// Windows that are dilated by nearly as much as their image is high read more padding than image.
Implementation live_rows() {
    return {.name = "live_rows",
            .applies = has_dead_rows,
            .build = [](OperatorContext &context) { return conv_of(context, true); },
            .cpu_only = true};
}

// Groups of one channel are none here.
bool has_groups(const OperatorContext &context) {
    return context.node().integer("group", 1) > 1 && context.input_shape(1)[1] > 1;
}

bool has_no_groups(const OperatorContext &context) { return !has_groups(context); }

// Else flattened_planes has longer ones.
bool has_rows_and_no_groups(const OperatorContext &context) {
    return !has_groups(context) && !has_flat_pixels(context);
}

}  // namespace

const Operator &onnx_conv() {
    static const Operator conv = {
        .type = "Conv",
        .check = check_conv,
        .implementations = {{.name = "direct", .build = build_conv},
                            flattened_convolution(),
                            winograd_2x2(),
                            winograd_4x4(),
                            live_rows(),
                            flattened_planes(),
                            only_where(planar_windows(convolution_windows, build_conv),
                                       has_rows_and_no_groups),
                            only_where(padded_planes(convolution_windows, Outside::Zero),
                                       has_no_groups),
                            only_where(phased_planes(convolution_windows), has_no_groups),
                            only_where(grouped_planes(convolution_windows), has_groups)},
    };
    return conv;
}

}  // namespace emulsion
