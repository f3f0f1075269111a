// A convolution layer with bias and ReLU, padded so that stride 1 keeps the image's size. Channels lie
// innermost: input (channels, width, height, batch), filter (out channels, in channels, x, y).
#include <Halide.h>

#include "generators/shapes.h"

namespace {

class Convolution : public Halide::Generator<Convolution> {
public:
    GeneratorParam<int> in_channels{"in_channels", 64, 1, 1 << 16};
    GeneratorParam<int> out_channels{"out_channels", 64, 1, 1 << 16};
    GeneratorParam<int> width{"width", 56, 1, 1 << 16};    // of the input
    GeneratorParam<int> height{"height", 56, 1, 1 << 16};  // of the input
    GeneratorParam<int> batch{"batch", 1, 1, 1 << 16};
    GeneratorParam<int> kernel{"kernel", 3, 1, 31};
    GeneratorParam<int> stride{"stride", 1, 1, 31};

    Input<Buffer<float, 4>> input{"input"};
    Input<Buffer<float, 4>> filter{"filter"};
    Input<Buffer<float, 1>> bias{"bias"};
    Output<Buffer<float, 4>> output{"output"};

    void generate() {
        const int pad = (int(kernel) - 1) / 2;
        Var c("c"), x("x"), y("y"), n("n");
        Func padded = Halide::BoundaryConditions::constant_exterior(
            input, 0.0F,
            {{Expr(), Expr()}, {0, Expr(int(width))}, {0, Expr(int(height))}, {Expr(), Expr()}});
        RDom r(0, int(in_channels), 0, int(kernel), 0, int(kernel));
        Func sum("sum");
        sum(c, x, y, n) = bias(c);
        sum(c, x, y, n) += padded(r.x, x * stride + r.y - pad, y * stride + r.z - pad, n) *
                           filter(c, r.x, r.y, r.z);
        output(c, x, y, n) = Halide::max(sum(c, x, y, n), 0.0F);

        set_shape(input, {int(in_channels), int(width), int(height), int(batch)});
        set_shape(filter, {int(out_channels), int(in_channels), int(kernel), int(kernel)});
        set_shape(bias, {int(out_channels)});
        const int wide = (int(width) + stride - 1) / stride,
                  high = (int(height) + stride - 1) / stride;
        set_shape(output, {int(out_channels), wide, high, int(batch)});
    }
};

}  // namespace

HALIDE_REGISTER_GENERATOR(Convolution, convolution)
