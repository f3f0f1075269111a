// The mean of 3x3 pixels, first along rows and then along columns, in 16 bits.
#include "generators/classic/image.h"

namespace {

class BoxBlur : public Halide::Generator<BoxBlur> {
public:
    GeneratorParam<int> width{"width", 2592, 1, 1 << 15};
    GeneratorParam<int> height{"height", 1968, 1, 1 << 15};

    Input<Buffer<uint16_t, 2>> input{"input"};
    Output<Buffer<uint16_t, 2>> output{"output"};

    void generate() {
        Var x("x"), y("y");
        Func rows("rows");
        rows(x, y) = mean(input(x, y), input(x + 1, y), input(x + 2, y));
        output(x, y) = mean(rows(x, y), rows(x, y + 1), rows(x, y + 2));

        emulsion::classic::estimate_shape(input, {width + 2, height + 2});
        emulsion::classic::estimate_shape(output, {width, height});
    }

private:
    static Expr mean(const Expr &a, const Expr &b, const Expr &c) { return (a + b + c) / 3; }
};

}  // namespace

HALIDE_REGISTER_GENERATOR(BoxBlur, box_blur)
