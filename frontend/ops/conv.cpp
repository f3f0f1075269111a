// Conv, 2-D: Y(n, c, h, w) = B(c) + sum of X(n, ci, h*sh + kh*dh - ph, w*sw + kw*dw - pw) *
// W(c, ci, kh, kw), where output channel c sees the input channels of its group.
#include <fmt/format.h>

#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/reduction.h"
#include "frontend/ops/support/window.h"

namespace emulsion {

using Halide::Expr;
using Halide::Func;

namespace {

std::vector<WindowAxis> conv_windows(const OperatorContext &context) {
    const std::vector<int64_t> weight = context.input_shape(1);
    return window_axes(context, {weight[2], weight[3]}, false);
}

void check(const OperatorContext &context) {
    require_type(context, 0, kFloatTypes);
    require_type_of_first(context, {1, 2});
    require_rank(context, 0, 4);
    require_rank(context, 1, 4);
    const std::vector<int64_t> x = context.input_shape(0);
    const std::vector<int64_t> weight = context.input_shape(1);
    const int64_t group = context.node().integer("group", 1);
    if (group < 1 || x[1] % group != 0 || weight[0] % group != 0) {
        refuse(context, fmt::format("attribute group is {}; it must divide the {} input and the {} "
                                    "output channels",
                                    group, x[1], weight[0]));
    }
    require_shape(context, 1, {weight[0], x[1] / group, weight[2], weight[3]},
                  "the second extent is the number of input channels per group");
    if (context.has_input(2)) {
        require_shape(context, 2, {weight[0]}, "there is one bias per output channel");
    }
    const std::vector<int64_t> kernel = {weight[2], weight[3]};
    if (context.node().integers("kernel_shape", kernel) != kernel) {
        refuse(context, fmt::format("attribute kernel_shape is {}, but the weights have {}",
                                    to_string(context.node().integers("kernel_shape", {})),
                                    to_string(kernel)));
    }
    require_output(context, window_output_shape(x[0], weight[0], conv_windows(context)));
}

// Input channel of output channel `c`, where `ci` counts those of its group.
Expr input_channel(const Expr &c, const Expr &ci, int64_t group, int64_t in_per_group,
                   int64_t out_per_group) {
    if (group == 1) {
        return ci;
    }
    Expr channel = out_per_group == 1 ? c : c / static_cast<int>(out_per_group);
    if (in_per_group != 1) {
        channel = channel * static_cast<int>(in_per_group) + ci;
    }
    return channel;
}

std::vector<Func> build(OperatorContext &context) {
    const std::vector<WindowAxis> windows = conv_windows(context);
    const Access x = windowed_operand(context, windows, 0.0);
    const Access weight = context.operand(1);
    const std::vector<int64_t> weight_shape = context.input_shape(1);
    const int64_t group = context.node().integer("group", 1);
    const std::vector<Halide::Var> v = axes(4);
    const Halide::Var &n = v[0];
    const Halide::Var &c = v[1];
    const Halide::Var &h = v[2];
    const Halide::Var &w = v[3];

    const int64_t in_per_group = weight_shape[1];
    Expr ci = 0;
    Expr kw;
    Expr kh;
    if (in_per_group == 1) {
        // Depthwise: the taps alone are summed over.
        const std::vector<Expr> r = reduction_axes({weight_shape[3], weight_shape[2]});
        kw = r[0];
        kh = r[1];
    } else {
        const std::vector<Expr> r =
            reduction_axes({in_per_group, weight_shape[3], weight_shape[2]});
        ci = r[0];
        kw = r[1];
        kh = r[2];
    }
    const Expr channel = input_channel(c, ci, group, in_per_group, weight_shape[0] / group);

    Func sum = context.func("sum");
    sum(v) = context.has_input(2) ? context.operand(2)({c})
                                  : Halide::Internal::make_zero(halide_type(context.input(0).type));
    sum(v) += x({n, channel, windows[0].position(h, kh), windows[1].position(w, kw)}) *
              weight({c, ci, kh, kw});
    Func conv = context.func("");
    conv(v) = sum(v);
    return {conv};
}

}  // namespace

const Operator &onnx_conv() {
    static const Operator conv = {
        .type = "Conv",
        .check = check,
        .implementations = {{.name = "direct", .build = build}},
    };
    return conv;
}

}  // namespace emulsion
