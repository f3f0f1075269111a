// Exposure fusion (Mertens, Kautz, Van Reeth 2007): several exposures of a scene become one image. Each pixel
// counts for its contrast, its colours and for being neither dark nor bright; Laplacian pyramids of the
// exposures are blended by Gaussian pyramids of these weights.
#include "generators/classic/image.h"

namespace {

class ExposureFusion : public Halide::Generator<ExposureFusion> {
public:
    GeneratorParam<int> width{"width", 1024, 1, 1 << 15};
    GeneratorParam<int> height{"height", 768, 1, 1 << 15};
    GeneratorParam<int> octaves{"octaves", 7, 2, 16};
    GeneratorParam<int> exposures{"exposures", 3, 1, 16};

    Input<Buffer<uint8_t, 4>> input{"input"};  // by column, row, channel, exposure
    Output<Buffer<uint8_t, 3>> output{"output"};

    void generate() {
        Func clamped = Halide::BoundaryConditions::repeat_edge(input);
        Func image("image");
        image(x, y, c, e) = clamped(x, y, c, e) / 255.0F;

        std::vector<Func> images(octaves), weights(octaves);
        images[0] = image;
        weights[0] = shares(image);
        for (int o = 1; o < octaves; o++) {
            images[o] = half(images[o - 1], "image" + std::to_string(o));
            weights[o] = half(weights[o - 1], "weight" + std::to_string(o));
        }
        Func fused;
        for (int o = octaves - 1; o >= 0; o--) {
            const std::string number = std::to_string(o);
            Func detail("detail" + number), blended("blended" + number), result("fused" + number);
            Expr fine = images[o](x, y, c, e), coarse = 0.0F;
            if (fused.defined()) {
                fine -= twice(images[o + 1], "wide" + number)(x, y, c, e);
                coarse = twice(fused, "grown" + number)(x, y, c);
            }
            detail(x, y, c, e) = fine;
            blended(x, y, c) =
                over_exposures([&](int i) { return weights[o](x, y, i) * detail(x, y, c, i); });
            result(x, y, c) = blended(x, y, c) + coarse;
            fused = result;
        }
        output(x, y, c) =
            cast<uint8_t>(Halide::clamp(fused(x, y, c) * 255.0F + 0.5F, 0.0F, 255.0F));

        emulsion::classic::estimate_shape(input, {width, height, 3, exposures});
        emulsion::classic::estimate_shape(output, {width, height, 3});
        output.dim(2).set_bounds(0, 3);
    }

private:
    // Of each exposure, at each pixel; they sum to 1.
    Func shares(const Func &image) {
        Func gray("gray"), contrast("contrast"), saturation("saturation"), exposed("exposed"),
            quality("quality"), sum("quality_sum"), share("share");
        gray(x, y, e) =
            0.299F * image(x, y, 0, e) + 0.587F * image(x, y, 1, e) + 0.114F * image(x, y, 2, e);
        contrast(x, y, e) = Halide::abs(gray(x - 1, y, e) + gray(x + 1, y, e) + gray(x, y - 1, e) +
                                        gray(x, y + 1, e) - 4.0F * gray(x, y, e));
        const auto over_channels = [&](const std::function<Expr(const Expr &)> &f) {
            return f(image(x, y, 0, e)) + f(image(x, y, 1, e)) + f(image(x, y, 2, e));
        };
        const auto square = [](const Expr &v) { return v * v; };
        const Expr mean = over_channels([](const Expr &v) { return v; }) / 3.0F;
        saturation(x, y, e) =
            Halide::sqrt(over_channels([&](const Expr &v) { return square(v - mean); }) / 3.0F);
        constexpr float kSpread = 2.0F * 0.2F * 0.2F;  // around 0.5
        exposed(x, y, e) = Halide::fast_exp(
            over_channels([&](const Expr &v) { return -square(v - 0.5F); }) / kSpread);
        constexpr float kLeast = 1e-6F;  // so that the sum is not 0
        quality(x, y, e) = contrast(x, y, e) * saturation(x, y, e) * exposed(x, y, e) + kLeast;
        sum(x, y) = over_exposures([&](int i) { return quality(x, y, i); });
        share(x, y, e) = quality(x, y, e) / sum(x, y);
        return share;
    }

    template<typename At>
    Expr over_exposures(const At &at) const {
        Expr sum = at(0);
        for (int i = 1; i < exposures; i++) {
            sum += at(i);
        }
        return sum;
    }

    // Half the size, by (1 4 6 4 1) / 16 down and across.
    Func half(const Func &f, const std::string &name) {
        using Halide::_;
        const auto binomial = [](const std::function<Expr(int)> &at) {
            return (at(-2) + at(2) + 4.0F * (at(-1) + at(1)) + 6.0F * at(0)) / 16.0F;
        };
        Func down(name + "_down"), both(name);
        down(x, y, _) = binomial([&](int d) { return f(x, 2 * y + d, _); });
        both(x, y, _) = binomial([&](int d) { return down(2 * x + d, y, _); });
        return both;
    }

    // Twice the size, linear between.
    Func twice(const Func &f, const std::string &name) {
        using Halide::_;
        Func down(name + "_down"), both(name);
        down(x, y, _) = (f(x, y / 2, _) + f(x, (y + 1) / 2, _)) / 2.0F;
        both(x, y, _) = (down(x / 2, y, _) + down((x + 1) / 2, y, _)) / 2.0F;
        return both;
    }

    Var x{"x"}, y{"y"}, c{"c"}, e{"e"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(ExposureFusion, exposure_fusion)
