// Edge-preserving blur with a grid over place and intensity (Chen, Paris, Durand 2007): pixels are
// counted into coarse cells, the cells are blurred along all three axes, and the result is read back
// between the cells.
#include "generators/classic/image.h"

namespace {

class BilateralGrid : public Halide::Generator<BilateralGrid> {
public:
    GeneratorParam<int> width{"width", 1536, 1, 1 << 15};
    GeneratorParam<int> height{"height", 2560, 1, 1 << 15};
    GeneratorParam<int> cell{"cell", 8, 1, 64};  // pixels

    Input<Buffer<float, 2>> input{"input"};
    Input<float> range{"range"};  // intensities of a cell
    Output<Buffer<float, 2>> output{"output"};

    void generate() {
        Func clamped = Halide::BoundaryConditions::repeat_edge(input);
        RDom r(0, int(cell), 0, int(cell), "r");
        const Expr sample =
            intensity(clamped(x * cell + r.x - cell / 2, y * cell + r.y - cell / 2));
        const Expr slot = cast<int>(sample / range + 0.5F);
        Func grid("grid");
        grid(x, y, z, c) = 0.0F;
        grid(x, y, slot, c) += Halide::mux(c, {sample, 1.0F});

        Func depth("depth"), across("across"), down("down");
        depth(x, y, z, c) = binomial([&](int d) { return grid(x, y, z + d, c); });
        across(x, y, z, c) = binomial([&](int d) { return depth(x + d, y, z, c); });
        down(x, y, z, c) = binomial([&](int d) { return across(x, y + d, z, c); });

        const Expr height_in_grid = intensity(input(x, y)) / range;
        const Expr layer = cast<int>(height_in_grid);
        const auto plane = [&](const Expr &at) {
            const auto row = [&](const Expr &v) {
                return Halide::lerp(down(x / cell, v, at, c), down(x / cell + 1, v, at, c),
                                    cast<float>(x % cell) / cell);
            };
            return Halide::lerp(row(y / cell), row(y / cell + 1), cast<float>(y % cell) / cell);
        };
        Func sliced("sliced");
        sliced(x, y, c) = Halide::lerp(plane(layer), plane(layer + 1), height_in_grid - layer);
        output(x, y) = sliced(x, y, 0) / sliced(x, y, 1);

        range.set_estimate(0.1F);
        grid.set_estimate(z, -2, 16);
        for (Func *f : {&depth, &across, &down}) {
            f->set_estimate(z, 0, 12);
        }
        emulsion::classic::estimate_shape(input, {width, height});
        emulsion::classic::estimate_shape(output, {width, height});
    }

private:
    static Expr intensity(const Expr &value) { return Halide::clamp(value, 0.0F, 1.0F); }

    // 1 4 6 4 1
    template<typename At>
    static Expr binomial(const At &at) {
        return at(-2) + at(2) + 4.0F * (at(-1) + at(1)) + 6.0F * at(0);
    }

    Var x{"x"}, y{"y"}, z{"z"}, c{"c"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(BilateralGrid, bilateral_grid)
