// Blobs of one size: the difference of two wide Gaussian blurs, each down and then across, over 31 pixels.
#include "generators/classic/image.h"

namespace {

class DifferenceOfGaussians : public Halide::Generator<DifferenceOfGaussians> {
public:
    GeneratorParam<int> width{"width", 1536, 1, 1 << 15};
    GeneratorParam<int> height{"height", 2560, 1, 1 << 15};
    GeneratorParam<int> radius{"radius", 15, 1, 100};

    Input<Buffer<uint8_t, 2>> input{"input"};
    Input<float> small{"small"};  // sigma, pixels
    Input<float> large{"large"};
    Output<Buffer<float, 2>> output{"output"};

    void generate() {
        Func image("image");
        image(x, y) = cast<float>(Halide::BoundaryConditions::repeat_edge(input)(x, y));
        output(x, y) = blurred(image, small, "small")(x, y) - blurred(image, large, "large")(x, y);

        small.set_estimate(3.0F);
        large.set_estimate(4.8F);
        emulsion::classic::estimate_shape(input, {width, height});
        emulsion::classic::estimate_shape(output, {width, height});
    }

private:
    Func blurred(const Func &image, const Expr &sigma, const std::string &name) {
        Func bell(name + "_bell"), kernel(name + "_kernel"), down(name + "_down"),
            both(name + "_both");
        const RDom r(-int(radius), 2 * int(radius) + 1, name + "_r");
        bell(i) = Halide::exp(-cast<float>(i * i) / (2.0F * sigma * sigma));
        kernel(i) = bell(i) / Halide::sum(bell(r), name + "_bell_sum");
        down(x, y) = 0.0F;
        down(x, y) += kernel(r) * image(x, y + r);
        both(x, y) = 0.0F;
        both(x, y) += kernel(r) * down(x + r, y);
        return both;
    }

    Var x{"x"}, y{"y"}, i{"i"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(DifferenceOfGaussians, difference_of_gaussians)
