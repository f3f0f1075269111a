// Contrast of a colour image: its luma is replaced by its rank among all pixels, the chroma is kept.
#include "generators/classic/image.h"

namespace {

class HistogramEqualisation : public Halide::Generator<HistogramEqualisation> {
public:
    GeneratorParam<int> width{"width", 1536, 1, 1 << 15};
    GeneratorParam<int> height{"height", 2560, 1, 1 << 15};

    Input<Buffer<uint8_t, 3>> input{"input"};
    Output<Buffer<uint8_t, 3>> output{"output"};

    void generate() {
        Var x("x"), y("y"), c("c"), bin("bin");
        Func gray("gray"), red("red_chroma"), blue("blue_chroma");
        gray(x, y) = emulsion::classic::luma(input, x, y);
        red(x, y) = 0.713F * (input(x, y, 0) - gray(x, y));
        blue(x, y) = 0.564F * (input(x, y, 2) - gray(x, y));

        // Counted row by row first, so that rows can be counted independently.
        Func row_counts("row_counts"), counts("counts"), ranks("ranks"), level("level");
        RDom pixel(0, input.width(), "pixel"), row(0, input.height(), "row");
        row_counts(bin, y) = 0;
        row_counts(to_bin(gray(pixel, y)), y) += 1;
        counts(bin) = 0;
        counts(bin) += row_counts(bin, row);
        RDom up(1, kBins - 1, "up");
        ranks(bin) = counts(0);
        ranks(up) = ranks(up - 1) + counts(up);

        level(x, y) = cast<uint8_t>(to_bin(gray(x, y)));
        Func equal("equal");
        equal(x, y) = Halide::clamp(
            ranks(level(x, y)) * ((kBins - 1.0F) / (input.height() * input.width())), 0.0F, 255.0F);

        const Expr r = equal(x, y) + 1.402F * red(x, y);
        const Expr g = equal(x, y) - 0.344F * blue(x, y) - 0.714F * red(x, y);
        const Expr b = equal(x, y) + 1.772F * blue(x, y);
        output(x, y, c) = cast<uint8_t>(Halide::clamp(Halide::mux(c, {r, g, b}), 0.0F, 255.0F));

        emulsion::classic::estimate_shape(input, {width, height, 3});
        emulsion::classic::estimate_shape(output, {width, height, 3});
        output.dim(2).set_bounds(0, 3);
    }

private:
    static constexpr int kBins = 256;
    static Expr to_bin(const Expr &value) {
        return cast<int>(Halide::clamp(value, 0.0F, kBins - 1.0F));
    }
};

}  // namespace

HALIDE_REGISTER_GENERATOR(HistogramEqualisation, histogram_equalisation)
