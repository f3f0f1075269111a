// A depthwise separable layer (MobileNet): a 3x3 depthwise convolution with ReLU, then a pointwise one
// with ReLU. Channels lie innermost: input (channels, width, height, batch), depthwise filter
// (channels, x, y), pointwise filter (out channels, in channels).
#include <Halide.h>

#include "generators/shapes.h"

namespace {

class DepthwiseSeparable : public Halide::Generator<DepthwiseSeparable> {
public:
    GeneratorParam<int> in_channels{"in_channels", 64, 1, 1 << 16};
    GeneratorParam<int> out_channels{"out_channels", 128, 1, 1 << 16};
    GeneratorParam<int> width{"width", 56, 1, 1 << 16};    // of the input
    GeneratorParam<int> height{"height", 56, 1, 1 << 16};  // of the input
    GeneratorParam<int> batch{"batch", 1, 1, 1 << 16};
    GeneratorParam<int> stride{"stride", 1, 1, 31};

    Input<Buffer<float, 4>> input{"input"};
    Input<Buffer<float, 3>> depthwise_filter{"depthwise_filter"};
    Input<Buffer<float, 1>> depthwise_bias{"depthwise_bias"};
    Input<Buffer<float, 2>> pointwise_filter{"pointwise_filter"};
    Input<Buffer<float, 1>> pointwise_bias{"pointwise_bias"};
    Output<Buffer<float, 4>> output{"output"};

    void generate() {
        Var c("c"), x("x"), y("y"), n("n");
        Func padded = Halide::BoundaryConditions::constant_exterior(
            input, 0.0F,
            {{Expr(), Expr()}, {0, Expr(int(width))}, {0, Expr(int(height))}, {Expr(), Expr()}});
        RDom k(0, 3, 0, 3);
        Func depthwise("depthwise"), between("between");
        depthwise(c, x, y, n) = depthwise_bias(c);
        depthwise(c, x, y, n) += padded(c, x * stride + k.x - 1, y * stride + k.y - 1, n) *
                                 depthwise_filter(c, k.x, k.y);
        between(c, x, y, n) = Halide::max(depthwise(c, x, y, n), 0.0F);

        RDom r(0, int(in_channels));
        Func pointwise("pointwise");
        pointwise(c, x, y, n) = pointwise_bias(c);
        pointwise(c, x, y, n) += between(r, x, y, n) * pointwise_filter(c, r);
        output(c, x, y, n) = Halide::max(pointwise(c, x, y, n), 0.0F);

        set_shape(input, {int(in_channels), int(width), int(height), int(batch)});
        set_shape(depthwise_filter, {int(in_channels), 3, 3});
        set_shape(depthwise_bias, {int(in_channels)});
        set_shape(pointwise_filter, {int(out_channels), int(in_channels)});
        set_shape(pointwise_bias, {int(out_channels)});
        const int wide = (int(width) + stride - 1) / stride,
                  high = (int(height) + stride - 1) / stride;
        set_shape(output, {int(out_channels), wide, high, int(batch)});
    }
};

}  // namespace

HALIDE_REGISTER_GENERATOR(DepthwiseSeparable, depthwise_separable)
