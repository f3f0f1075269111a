// A convolution of int8 with sums of 32 bits by the chips' v_dot4 instructions (kernel=1 on an image of one
// row is a matrix product). Buffers hold lanes of four int8, channels innermost:
//
//     input   (in_channels / 4, width + 2 pad, height + 2 pad, batch), x and y from -pad on: the caller
//             fills the border with what zero is; pad = (kernel - 1) / 2
//     weights (out_channels, in_channels / 4, kernel, kernel), four input channels in a lane
//     bias    (out_channels) of int32
//     scale   (out_channels) of float, where requantise is set
//     output  (out_channels, width, height, batch): sums of int32, or int8: round(sum * scale)
#include "generators/lanes.h"

namespace {

constexpr int kLane = 4;  // int8 of a lane

class Dot4Convolution : public Halide::Generator<Dot4Convolution> {
public:
    GeneratorParam<int> in_channels{"in_channels", 64, kLane, 1 << 16};
    GeneratorParam<int> out_channels{"out_channels", 64, 4, 1 << 16};
    GeneratorParam<int> width{"width", 56, 1,
                              1 << 16};  // of the output, which is the input's / stride
    GeneratorParam<int> height{"height", 56, 1, 1 << 16};  // likewise
    GeneratorParam<int> batch{"batch", 1, 1, 1 << 16};
    GeneratorParam<int> kernel{"kernel", 3, 1, 31};
    GeneratorParam<int> stride{"stride", 1, 1, 31};
    GeneratorParam<bool> requantise{"requantise", true};
    GeneratorParam<int> columns{"columns", 7, 1, 16};  // pixels of a thread

    Input<Buffer<int32_t, 4>> input{"input"};
    Input<Buffer<int32_t, 4>> weights{"weights"};
    Input<Buffer<int32_t, 1>> bias{"bias"};
    Output<Buffer<void, 4>> output{"output"};

    void configure() {
        if (requantise) {
            scale = add_input<Buffer<float, 1>>("scale");
        }
        output.set_type(requantise ? Int(8) : Int(32));
    }

    void generate() {
        _halide_user_assert(in_channels % kLane == 0 && out_channels % 4 == 0)
            << "dot4_convolution: in_channels and out_channels are multiples of four\n";
        const int pad = (kernel - 1) / 2;
        r = RDom(0, in_channels / kLane, 0, kernel, 0, kernel, "r");
        sum(c, x, y, n) = bias(c);
        sum(c, x, y, n) = dot4(input(r[0], x * stride + r[1] - pad, y * stride + r[2] - pad, n),
                               weights(c, r[0], r[1], r[2]), sum(c, x, y, n));
        if (requantise) {
            const Expr scaled = round(sum(c, x, y, n) * (*scale)(c));
            output(c, x, y, n) = cast<int8_t>(clamp(scaled, -128.0F, 127.0F));
            set_layout(*scale, {out_channels});
        } else {
            output(c, x, y, n) = sum(c, x, y, n);
        }
        set_layout(input, {in_channels / kLane, int(width) * stride, int(height) * stride, batch},
                   pad);
        set_layout(weights, {out_channels, in_channels / kLane, kernel, kernel});
        set_layout(bias, {out_channels});
        set_layout(output, {out_channels, width, height, batch});
    }

    void schedule() {
        if (using_autoscheduler()) {
            return;
        }
        sum.compute_at(output, schedule_tile(output, {out_channels, width, height}, columns));
        schedule_sum(sum, {r[0], r[1], r[2]});
        // Four lanes, 16 bytes, of a pixel in one load.
        sum.update().unroll(r[0], in_channels % (4 * kLane) == 0 ? 4 : 1);
    }

private:
    Var c{"c"}, x{"x"}, y{"y"}, n{"n"};
    Func sum{"sum"};
    RDom r;
    Input<Buffer<float, 1>> *scale = nullptr;
};

}  // namespace

HALIDE_REGISTER_GENERATOR(Dot4Convolution, dot4_convolution)
