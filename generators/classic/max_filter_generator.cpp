// The largest value in a disc around every pixel. The maximum of a column of any height is that of two
// columns whose height is a power of two; these are made once, by doubling.
#include <cmath>

#include "generators/classic/image.h"

namespace {

class MaxFilter : public Halide::Generator<MaxFilter> {
public:
    GeneratorParam<int> width{"width", 1536, 1, 1 << 15};
    GeneratorParam<int> height{"height", 2560, 1, 1 << 15};
    GeneratorParam<int> radius{"radius", 26, 1, 100};

    Input<Buffer<float, 3>> input{"input"};
    Output<Buffer<float, 3>> output{"output"};

    void generate() {
        Var x("x"), y("y"), c("c"), t("t");
        const int r = radius;
        const int doublings = static_cast<int>(std::ceil(std::log2(r))) + 1;
        Func clamped = Halide::BoundaryConditions::repeat_edge(
            input, {{0, input.width()}, {0, input.height()}, {Expr(), Expr()}});

        // powers(x, y, c, t): of the 2^t pixels that begin at y
        Func powers("powers");
        RDom rows(-r, input.height() + r, 1, doublings - 1, "rows");
        powers(x, y, c, t) = clamped(x, y, c);
        powers(x, rows.x, c, rows.y) = Halide::max(
            powers(x, rows.x, c, rows.y - 1),
            powers(x, rows.x + Halide::clamp(1 << (rows.y - 1), 0, 2 * r), c, rows.y - 1));

        // column(x, y, c, t): of the 2t+1 pixels around y
        Func exponent("exponent"), column("column");
        exponent(t) =
            cast<int>(Halide::floor(Halide::log(cast<float>(2 * t + 1)) / std::log(2.0F)));
        const Expr e = Halide::clamp(exponent(t), 0, doublings - 1);
        column(x, y, c, t) = Halide::max(
            powers(x, y - t, c, e), powers(x, y + t + 1 - Halide::clamp(1 << e, 0, 2 * r), c, e));

        // How far the disc reaches up and down, i columns from its centre.
        Func reach("reach");
        RDom up(0, r + 1, "up");
        reach(t) = 0;
        const float edge = static_cast<float>(r) + 0.25F;
        reach(t) += Halide::select(cast<float>(t * t + up * up) < edge * edge, 1, 0);

        RDom across(-r, 2 * r + 1, "across");
        Func largest("largest");
        largest(x, y, c) = Halide::Float(32).min();
        largest(x, y, c) = Halide::max(
            largest(x, y, c), column(x + across, y, c, Halide::clamp(reach(across) - 1, 0, r)));
        output(x, y, c) = largest(x, y, c);

        emulsion::classic::estimate_shape(input, {width, height, 3});
        emulsion::classic::estimate_shape(output, {width, height, 3});
        output.dim(2).set_bounds(0, 3);
    }
};

}  // namespace

HALIDE_REGISTER_GENERATOR(MaxFilter, max_filter)
