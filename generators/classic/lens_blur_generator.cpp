// The blur of a wide lens from a stereo pair: a depth for each pixel, the one at which the pair differs
// least once differences are blurred by a pyramid, then a mean over random places in the circle that the lens
// would blur the pixel over.
#include "generators/classic/image.h"

namespace {

class LensBlur : public Halide::Generator<LensBlur> {
public:
    GeneratorParam<int> width{"width", 320, 16, 1 << 15};
    GeneratorParam<int> height{"height", 192, 16, 1 << 15};
    GeneratorParam<int> octaves{"octaves", 6, 1, 16};

    Input<Buffer<uint8_t, 3>> left{"left"};
    Input<Buffer<uint8_t, 3>> right{"right"};
    Input<int> depths{"depths"};
    Input<int> focus{"focus"};      // the depth that is sharp
    Input<float> spread{"spread"};  // pixels of radius for a depth away from it
    Input<int> samples{"samples"};
    Output<Buffer<float, 3>> output{"output"};

    void generate() {
        const Func best = depth_of(pushed_and_pulled(costs()));
        const Expr widest = cast<int>(Halide::max(depths - focus, focus) * spread);

        Func radius("radius"), widest_down("widest_down"), widest_near("widest_near");
        radius(x, y) = Halide::abs(best(x, y) - focus) * spread;
        RDom near(-widest, 2 * widest + 1, "near");
        widest_down(x, y) = Halide::maximum(radius(x, y + near), "widest_in_column");
        widest_near(x, y) = Halide::maximum(widest_down(x + near, y), "widest_in_rows");

        Func place("place"), coloured("coloured"), total("total");
        const auto offset = [&](int axis) {
            const Expr wide = (noise(axis) - 0.5F) * 2.0F * widest_near(x, y);
            return Halide::clamp(cast<int>(wide), -widest, widest);
        };
        place(x, y, z) = Halide::Tuple(offset(0), offset(1));
        coloured(x, y, c) = Halide::mux(c, {whole(x, y, 0), whole(x, y, 1), whole(x, y, 2), 1.0F});
        RDom s(0, samples, "s");
        const Expr dx = place(x, y, s)[0], dy = place(x, y, s)[1];
        const Expr reach = radius(x + dx, y + dy);
        const Expr counts = cast<float>(dx * dx + dy * dy) <= reach * reach;
        total(x, y, c) = coloured(x, y, c);
        total(x, y, c) += Halide::select(counts, coloured(x + dx, y + dy, c), 0.0F);
        output(x, y, c) = total(x, y, c) / total(x, y, 3);
        output.dim(2).set_bounds(0, 3);

        depths.set_estimate(32);
        focus.set_estimate(13);
        spread.set_estimate(0.5F);
        samples.set_estimate(32);
        emulsion::classic::estimate_shape(left, {width, height, 3});
        emulsion::classic::estimate_shape(right, {width, height, 3});
        emulsion::classic::estimate_shape(output, {width, height, 3});
    }

private:
    // How much the pair differs at each depth, weighted by how sure that is, and the weight.
    Func costs() {
        whole = Func("whole");
        whole(x, y, c) = cast<float>(Halide::BoundaryConditions::repeat_edge(left)(x, y, c));
        Func other = Halide::BoundaryConditions::repeat_edge(right);
        Func difference("difference"), cost("cost"), sure("sure"), weighted("weighted");
        const Expr here = cast<uint8_t>(whole(x, y, c));
        difference(x, y, z, c) = Halide::min(Halide::absd(here, other(x + 2 * z, y, c)),
                                             Halide::absd(here, other(x + 2 * z + 1, y, c)));
        const auto square = [](const Expr &e) { return e * e; };
        const auto channel = [&](int at) { return square(cast<float>(difference(x, y, z, at))); };
        cost(x, y, z) = channel(0) + channel(1) + channel(2);
        RDom all(0, depths, "all");
        sure(x, y) = Halide::sum(square(cost(x, y, all)), "squares") / depths -
                     square(Halide::sum(cost(x, y, all), "costs") / depths);
        weighted(x, y, z, c) = Halide::mux(c, {cost(x, y, z) * sure(x, y), sure(x, y)});
        return weighted;
    }

    // A mean of all octaves, the finest counted most, so that sure places fill in their surroundings.
    Func pushed_and_pulled(const Func &f) {
        using Halide::_;
        std::vector<Func> push(octaves), pull(octaves);
        push[0] = f;
        Expr across = left.width(), down = left.height();
        for (int o = 1; o < octaves; o++) {
            const std::string number = std::to_string(o);
            Func rows("push_rows" + number), both("push" + number);
            const auto quarter = [](const Expr &a, const Expr &b, const Expr &c, const Expr &d) {
                return (a + 3.0F * (b + c) + d) / 8.0F;
            };
            const Func &fine = push[o - 1];
            rows(x, y, _) = quarter(fine(2 * x - 1, y, _), fine(2 * x, y, _), fine(2 * x + 1, y, _),
                                    fine(2 * x + 2, y, _));
            both(x, y, _) = quarter(rows(x, 2 * y - 1, _), rows(x, 2 * y, _), rows(x, 2 * y + 1, _),
                                    rows(x, 2 * y + 2, _));
            across = across / 2;
            down = down / 2;
            push[o] = Halide::BoundaryConditions::repeat_edge(both, {{0, across}, {0, down}});
        }
        pull.back() = push.back();
        for (int o = octaves - 2; o >= 0; o--) {
            const std::string number = std::to_string(o);
            Func rows("pull_rows" + number);
            pull[o] = Func("pull" + number);
            const Func &coarse = pull[o + 1];
            const auto between = [](const Expr &a, const Expr &b) { return 0.25F * a + 0.75F * b; };
            rows(x, y, _) = between(coarse(x / 2 - 1 + 2 * (x % 2), y, _), coarse(x / 2, y, _));
            pull[o](x, y, _) =
                Halide::lerp(between(rows(x, y / 2 - 1 + 2 * (y % 2), _), rows(x, y / 2, _)),
                             push[o](x, y, _), 0.5F);
        }
        return pull.front();
    }

    Func depth_of(const Func &weighted) {
        Func filtered("filtered"), best("best");
        filtered(x, y, z) = weighted(x, y, z, 0) / weighted(x, y, z, 1);
        RDom all(0, depths, "slices");
        best(x, y) = Halide::argmin(filtered(x, y, all), "least")[0];
        return best;
    }

    // From 0 to 1, by hashing the pixel, the sample and `axis`.
    Expr noise(int axis) {
        const auto part = [](const Expr &e, uint32_t factor) {
            return cast<uint32_t>(e) * Expr(factor);
        };
        Expr h = part(x, 73856093U) ^ part(y, 19349663U) ^ part(2 * z + axis, 83492791U);
        for (int i = 0; i < 2; i++) {
            h = (h ^ (h >> 15)) * Expr(uint32_t{0x2c1b3c6d});
        }
        return cast<float>(h >> 8) * 0x1p-24F;
    }

    Func whole;
    Var x{"x"}, y{"y"}, z{"z"}, c{"c"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(LensBlur, lens_blur)
