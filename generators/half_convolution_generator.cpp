// A convolution of 16-bit floats. Channels lie innermost; input (in_channels, width + 2 pad, height +
// 2 pad, batch) with x and y from -pad on, where the caller has a border of zeros; pad = (kernel - 1) / 2.
// Output (out_channels, width, height, batch) of 16-bit floats, with ReLU; bias (out_channels) of float.
//
//     sums=float  v_dot2_f32_f16: products and sums of 32 bits. input (in_channels / 2, ...) and weights
//                 (out_channels, in_channels / 2, kernel, kernel) hold lanes of two channels (int32)
//     sums=half   v_pk_fma_f16 on two output channels: `chunk` input channels of a tap are summed up in
//                 16 bits, these sums in 32. weights (out_channels, in_channels, kernel, kernel)
#include "generators/lanes.h"

namespace {

enum class Sums { Float, Half };

class HalfConvolution : public Halide::Generator<HalfConvolution> {
public:
    GeneratorParam<int> in_channels{"in_channels", 64, 2, 1 << 16};
    GeneratorParam<int> out_channels{"out_channels", 64, 4, 1 << 16};
    GeneratorParam<int> width{"width", 56, 1, 1 << 16};    // of the output
    GeneratorParam<int> height{"height", 56, 1, 1 << 16};  // likewise
    GeneratorParam<int> batch{"batch", 1, 1, 1 << 16};
    GeneratorParam<int> kernel{"kernel", 3, 1, 31};
    GeneratorParam<int> stride{"stride", 1, 1, 31};
    GeneratorParam<Sums> sums{"sums", Sums::Float, {{"float", Sums::Float}, {"half", Sums::Half}}};
    GeneratorParam<int> chunk{"chunk", 16, 1, 1 << 16};  // divides in_channels
    GeneratorParam<int> columns{"columns", 7, 1, 16};    // pixels of a thread

    Input<Buffer<void, 4>> input{"input"};
    Input<Buffer<void, 4>> weights{"weights"};
    Input<Buffer<float, 1>> bias{"bias"};
    Output<Buffer<Halide::float16_t, 4>> output{"output"};

    void configure() {
        input.set_type(lanes() ? Int(32) : Float(16));
        weights.set_type(lanes() ? Int(32) : Float(16));
    }

    void generate() {
        _halide_user_assert(in_channels % (lanes() ? 2 : int(chunk)) == 0 && out_channels % 4 == 0)
            << "half_convolution: in_channels is a multiple of two, or of chunk, out_channels of four\n";
        const int channels = in_channels / (lanes() ? 2 : 1);
        sum(c, x, y, n) = bias(c);
        if (lanes()) {
            r = RDom(0, channels, 0, kernel, 0, kernel, "r");
            sum(c, x, y, n) =
                dot2(pixel(r[0], r[1], r[2]), weights(c, r[0], r[1], r[2]), sum(c, x, y, n));
        } else {
            r = RDom(0, channels / chunk, 0, kernel, 0, kernel, "r");
            inner = RDom(0, chunk, "inner");
            const Expr channel = block * chunk + inner;
            part(c, x, y, n, block, kx, ky) += pixel(channel, kx, ky) * weights(c, channel, kx, ky);
            sum(c, x, y, n) += cast<float>(part(c, x, y, n, r[0], r[1], r[2]));
        }
        output(c, x, y, n) = cast(Float(16), max(sum(c, x, y, n), 0.0F));
        set_layout(input, {channels, int(width) * stride, int(height) * stride, batch}, pad());
        set_layout(weights, {out_channels, channels, kernel, kernel});
        set_layout(bias, {out_channels});
        set_layout(output, {out_channels, width, height, batch});
    }

    void schedule() {
        if (using_autoscheduler()) {
            return;
        }
        sum.compute_at(output, schedule_tile(output, {out_channels, width, height}, columns));
        schedule_sum(sum, {r[0], r[1], r[2]});
        if (lanes()) {
            sum.update().unroll(r[0], in_channels % 8 == 0 ? 4 : 1);
        } else {
            part.compute_at(sum, r[0]);
            schedule_sum(part, {inner});
            part.update().unroll(inner, chunk % 8 == 0 ? 8 : 1);
        }
    }

private:
    Var c{"c"}, x{"x"}, y{"y"}, n{"n"}, block{"block"}, kx{"kx"}, ky{"ky"};
    Func sum{"sum"}, part{"part"};
    RDom r, inner;

    bool lanes() const { return sums == Sums::Float; }
    int pad() const { return (kernel - 1) / 2; }
    Expr pixel(const Expr &channel, const Expr &tap_x, const Expr &tap_y) {
        return input(channel, x * stride + tap_x - pad(), y * stride + tap_y - pad(), n);
    }
};

}  // namespace

HALIDE_REGISTER_GENERATOR(HalfConvolution, half_convolution)
