// Sharpening by what a Gaussian blur takes away: the luma is sharpened, and the colours are scaled alike.
#include <cmath>

#include "generators/classic/image.h"

namespace {

class UnsharpMask : public Halide::Generator<UnsharpMask> {
public:
    GeneratorParam<int> width{"width", 1536, 1, 1 << 15};
    GeneratorParam<int> height{"height", 2560, 1, 1 << 15};
    GeneratorParam<float> sigma{"sigma", 1.5F};

    Input<Buffer<float, 3>> input{"input"};
    Output<Buffer<float, 3>> output{"output"};

    void generate() {
        Var x("x"), y("y"), c("c"), i("i");
        Func weight("weight");
        const float spread = 2.0F * sigma * sigma;
        weight(i) = Halide::exp(-cast<float>(i * i) / spread) / std::sqrt(3.14159265F * spread);

        Func clamped = Halide::BoundaryConditions::repeat_edge(input);
        Func gray("gray"), columns("columns"), blurred("blurred"), sharp("sharp"), ratio("ratio");
        gray(x, y) = emulsion::classic::luma(clamped, x, y);
        Expr down = weight(0) * gray(x, y);
        for (int d = 1; d <= kRadius; d++) {
            down += weight(d) * (gray(x, y - d) + gray(x, y + d));
        }
        columns(x, y) = down;
        Expr across = weight(0) * columns(x, y);
        for (int d = 1; d <= kRadius; d++) {
            across += weight(d) * (columns(x - d, y) + columns(x + d, y));
        }
        blurred(x, y) = across;
        sharp(x, y) = 2.0F * gray(x, y) - blurred(x, y);
        ratio(x, y) = sharp(x, y) / gray(x, y);
        output(x, y, c) = ratio(x, y) * input(x, y, c);

        emulsion::classic::estimate_shape(input, {width, height, 3});
        emulsion::classic::estimate_shape(output, {width, height, 3});
        output.dim(2).set_bounds(0, 3);
    }

private:
    static constexpr int kRadius = 3;
};

}  // namespace

HALIDE_REGISTER_GENERATOR(UnsharpMask, unsharp_mask)
