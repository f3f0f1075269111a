// A colour look as film and video have it: a table over red, green and blue (LUT), read between its entries.
#include "generators/classic/image.h"

namespace {

class ColourTable : public Halide::Generator<ColourTable> {
public:
    GeneratorParam<int> width{"width", 1536, 1, 1 << 15};
    GeneratorParam<int> height{"height", 1024, 1, 1 << 15};
    GeneratorParam<int> entries{"entries", 33, 2, 256};  // along each colour

    Input<Buffer<float, 3>> input{"input"};
    Input<Buffer<float, 4>> table{"table"};  // by red, green, blue, and the channel of the result
    Input<float> strength{"strength"};       // 0 keeps the image
    Output<Buffer<float, 3>> output{"output"};

    void generate() {
        Func place("place"), looked_up("looked_up");
        place(x, y, c) = Halide::clamp(input(x, y, c), 0.0F, 1.0F) * (int(entries) - 1.0F);
        const auto below = [&](int axis) {
            return Halide::min(cast<int>(place(x, y, axis)), int(entries) - 2);
        };
        const auto share = [&](int axis) { return place(x, y, axis) - below(axis); };
        const Expr red = below(0), green = below(1), blue = below(2);
        const auto along_red = [&](const Expr &g, const Expr &b) {
            return Halide::lerp(table(red, g, b, c), table(red + 1, g, b, c), share(0));
        };
        const auto plane = [&](const Expr &b) {
            return Halide::lerp(along_red(green, b), along_red(green + 1, b), share(1));
        };
        looked_up(x, y, c) = Halide::lerp(plane(blue), plane(blue + 1), share(2));
        output(x, y, c) = input(x, y, c) + strength * (looked_up(x, y, c) - input(x, y, c));
        output.dim(2).set_bounds(0, 3);

        strength.set_estimate(0.8F);
        emulsion::classic::estimate_shape(input, {width, height, 3});
        emulsion::classic::estimate_shape(table, {entries, entries, entries, 3});
        emulsion::classic::estimate_shape(output, {width, height, 3});
    }

private:
    Var x{"x"}, y{"y"}, c{"c"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(ColourTable, colour_table)
