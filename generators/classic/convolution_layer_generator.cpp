// A layer of a network, channels innermost: a 3x3 convolution over all channels of the input, a bias, and
// what is negative cut off.
#include "generators/classic/image.h"

namespace {

class ConvolutionLayer : public Halide::Generator<ConvolutionLayer> {
public:
    GeneratorParam<int> channels{"channels", 64, 1, 4096};  // of the input
    GeneratorParam<int> filters{"filters", 96, 1, 4096};    // channels of the output
    GeneratorParam<int> width{"width", 112, 1, 1 << 15};
    GeneratorParam<int> height{"height", 112, 1, 1 << 15};

    Input<Buffer<float, 3>> input{"input"};      // by channel, column, row
    Input<Buffer<float, 4>> weights{"weights"};  // by filter, channel, column, row
    Input<Buffer<float, 1>> bias{"bias"};
    Output<Buffer<float, 3>> output{"output"};

    void generate() {
        Var f("f"), x("x"), y("y");
        RDom r(0, int(channels), 0, kSize, 0, kSize, "r");
        Func sum("sum");
        sum(f, x, y) = bias(f);
        sum(f, x, y) += weights(f, r.x, r.y, r.z) * input(r.x, x + r.y, y + r.z);
        output(f, x, y) = Halide::max(sum(f, x, y), 0.0F);

        emulsion::classic::estimate_shape(input, {channels, width + kSize - 1, height + kSize - 1});
        emulsion::classic::estimate_shape(weights, {filters, channels, kSize, kSize});
        emulsion::classic::estimate_shape(bias, {filters});
        emulsion::classic::estimate_shape(output, {filters, width, height});
    }

private:
    static constexpr int kSize = 3;
};

}  // namespace

HALIDE_REGISTER_GENERATOR(ConvolutionLayer, convolution_layer)
