// Guided upsampling (Chen, Adams, Wadhwa, Hasinoff 2016): what an effect did to a small image is fitted, in every cell
// of a grid over place and luma, by a line for each colour, and done to the large image.
#include "generators/classic/image.h"

namespace {

class GuidedUpsampling : public Halide::Generator<GuidedUpsampling> {
public:
    GeneratorParam<int> width{"width", 1536, 8, 1 << 15};
    GeneratorParam<int> height{"height", 2560, 8, 1 << 15};
    GeneratorParam<int> factor{"factor", 8, 1, 64};  // how much smaller the small images are
    GeneratorParam<int> cell{"cell", 16, 1, 64};     // pixels of the small images

    Input<Buffer<float, 3>> before{"before"};  // small
    Input<Buffer<float, 3>> after{"after"};    // small
    Input<Buffer<float, 3>> input{"input"};
    Input<float> range{"range"};  // luma of a cell
    Output<Buffer<float, 3>> output{"output"};

    void generate() {
        const Func blurred = blur(sums());
        Func line("line");
        const auto sum = [&](int k) { return blurred(x, y, z, c, k); };
        constexpr float kStiff = 0.01F;  // pulls lines of few samples towards no change
        const Expr n = sum(0) + kStiff;
        const Expr slope =
            (n * sum(4) - sum(1) * sum(3) + kStiff) / (n * sum(2) - sum(1) * sum(1) + kStiff);
        line(x, y, z, c, k) = Halide::mux(k, {slope, (sum(3) - slope * sum(1)) / n});

        const Func at = slice(line);
        output(x, y, c) =
            Halide::clamp(at(x, y, c, 0) * input(x, y, c) + at(x, y, c, 1), 0.0F, 1.0F);
        output.dim(2).set_bounds(0, 3);

        range.set_estimate(0.125F);
        const std::vector<int> small{int(width) / int(factor), int(height) / int(factor), 3};
        emulsion::classic::estimate_shape(before, small);
        emulsion::classic::estimate_shape(after, small);
        emulsion::classic::estimate_shape(input, {width, height, 3});
        emulsion::classic::estimate_shape(output, {width, height, 3});
    }

private:
    // Of the samples in each cell: their number, those before and their squares, those after and their products
    // with those before.
    Func sums() {
        Func from = Halide::BoundaryConditions::repeat_edge(before),
             to = Halide::BoundaryConditions::repeat_edge(after);
        RDom r(0, int(cell), 0, int(cell), "r");
        const Expr across = x * cell + r.x, down = y * cell + r.y;
        const Expr slot =
            cast<int>(bounded(emulsion::classic::luma(from, across, down)) / range + 0.5F);
        const Expr u = from(across, down, c), v = to(across, down, c);
        Func grid("grid");
        grid(x, y, z, c, k) = 0.0F;
        grid(x, y, slot, c, k) += Halide::mux(k, {1.0F, u, u * u, v, u * v});
        return grid;
    }

    Func blur(const Func &grid) {
        using Halide::_;
        Func depth("depth"), across("across"), down("down");
        depth(x, y, z, _) = grid(x, y, z - 1, _) + 2.0F * grid(x, y, z, _) + grid(x, y, z + 1, _);
        across(x, y, z, _) =
            depth(x - 1, y, z, _) + 2.0F * depth(x, y, z, _) + depth(x + 1, y, z, _);
        down(x, y, z, _) =
            across(x, y - 1, z, _) + 2.0F * across(x, y, z, _) + across(x, y + 1, z, _);
        return down;
    }

    // At every pixel, between the cells that are nearest to its place and luma.
    Func slice(const Func &line) {
        const int pixels = int(factor) * int(cell);
        Func luma("luma"), sliced("sliced");
        luma(x, y) = bounded(emulsion::classic::luma(input, x, y)) / range;
        const Expr layer = cast<int>(luma(x, y));
        const auto plane = [&](const Expr &at) {
            const auto row = [&](const Expr &v) {
                return Halide::lerp(line(x / pixels, v, at, c, k),
                                    line(x / pixels + 1, v, at, c, k),
                                    cast<float>(x % pixels) / static_cast<float>(pixels));
            };
            return Halide::lerp(row(y / pixels), row(y / pixels + 1),
                                cast<float>(y % pixels) / static_cast<float>(pixels));
        };
        sliced(x, y, c, k) = Halide::lerp(plane(layer), plane(layer + 1), luma(x, y) - layer);
        return sliced;
    }

    static Expr bounded(const Expr &value) { return Halide::clamp(value, 0.0F, 1.0F); }

    Var x{"x"}, y{"y"}, z{"z"}, c{"c"}, k{"k"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(GuidedUpsampling, guided_upsampling)
