// Non-local means (Buades, Coll, Morel 2005): a pixel becomes the mean of those around it, weighted by how
// alike the patches around both are.
#include "generators/classic/image.h"

namespace {

class NonLocalMeans : public Halide::Generator<NonLocalMeans> {
public:
    GeneratorParam<int> width{"width", 1536, 1, 1 << 15};
    GeneratorParam<int> height{"height", 2560, 1, 1 << 15};

    Input<Buffer<float, 3>> input{"input"};
    Input<int> patch{"patch"};    // pixels, odd
    Input<int> search{"search"};  // pixels, odd
    Input<float> sigma{"sigma"};
    Output<Buffer<float, 3>> output{"output"};

    void generate() {
        Var x("x"), y("y"), c("c"), dx("dx"), dy("dy");
        Func clamped = Halide::BoundaryConditions::repeat_edge(input);

        Func channel_error("channel_error"), error("error"), error_down("error_down"),
            patch_error("patch_error"), weight("weight");
        const Expr difference = clamped(x, y, c) - clamped(x + dx, y + dy, c);
        channel_error(x, y, dx, dy, c) = difference * difference;
        RDom channel(0, 3, "channel"), p(-(patch / 2), patch, "p");
        error(x, y, dx, dy) += channel_error(x, y, dx, dy, channel);
        error_down(x, y, dx, dy) += error(x, y + p, dx, dy);
        patch_error(x, y, dx, dy) += error_down(x + p, y, dx, dy);
        weight(x, y, dx, dy) = Halide::fast_exp(-patch_error(x, y, dx, dy) /
                                                (sigma * sigma * cast<float>(patch * patch)));

        // The fourth channel sums the weights.
        Func coloured("coloured"), total("total");
        coloured(x, y, c) =
            Halide::mux(c, {clamped(x, y, 0), clamped(x, y, 1), clamped(x, y, 2), 1.0F});
        RDom s(-(search / 2), search, -(search / 2), search, "s");
        total(x, y, c) += weight(x, y, s.x, s.y) * coloured(x + s.x, y + s.y, c);
        output(x, y, c) = Halide::clamp(total(x, y, c) / total(x, y, 3), 0.0F, 1.0F);
        output.dim(2).set_bounds(0, 3);

        patch.set_estimate(7);
        search.set_estimate(7);
        sigma.set_estimate(0.12F);
        emulsion::classic::estimate_shape(input, {width, height, 3});
        emulsion::classic::estimate_shape(output, {width, height, 3});
    }
};

}  // namespace

HALIDE_REGISTER_GENERATOR(NonLocalMeans, non_local_means)
