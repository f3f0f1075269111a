// Local Laplacian filter (Paris, Hasinoff, Kautz 2011) in its fast form: Laplacian pyramids of the image
// remapped around a few levels of gray, and of these, at every place, the two nearest to the image's own.
#include "generators/classic/image.h"

namespace {

class LocalLaplacian : public Halide::Generator<LocalLaplacian> {
public:
    GeneratorParam<int> width{"width", 1536, 1, 1 << 15};
    GeneratorParam<int> height{"height", 2560, 1, 1 << 15};
    GeneratorParam<int> octaves{"octaves", 8, 2, 16};

    Input<Buffer<uint16_t, 3>> input{"input"};
    Input<int> levels{"levels"};
    Input<float> alpha{"alpha"};  // of details
    Input<float> beta{"beta"};    // of the rest
    Output<Buffer<uint16_t, 3>> output{"output"};

    void generate() {
        const Expr steps = cast<float>(levels - 1);
        Func curve("curve"), gray("gray"), scaled("scaled");
        const Expr u = cast<float>(i) / kFine;
        curve(i) = alpha * u * Halide::exp(-u * u / 2.0F);
        Func clamped = Halide::BoundaryConditions::repeat_edge(input);
        scaled(x, y, c) = clamped(x, y, c) / kWhite;
        gray(x, y) = emulsion::classic::luma(scaled, x, y);

        std::vector<Func> remapped(octaves), grays(octaves), result(octaves);
        remapped[0] = Func("remapped0");
        const Expr level = k / steps;
        const Expr fine = Halide::clamp(cast<int>(gray(x, y) * steps * kFine), 0,
                                        (levels - 1) * static_cast<int>(kFine));
        remapped[0](x, y, k) =
            beta * (gray(x, y) - level) + level + curve(fine - static_cast<int>(kFine) * k);
        grays[0] = gray;
        for (int o = 1; o < octaves; o++) {
            remapped[o] = half(remapped[o - 1], "remapped" + std::to_string(o));
            grays[o] = half(grays[o - 1], "gray" + std::to_string(o));
        }
        for (int o = octaves - 1; o >= 0; o--) {
            const std::string number = std::to_string(o);
            Func detail("detail" + number), chosen("chosen" + number);
            const bool top = o == octaves - 1;
            if (top) {
                detail(x, y, k) = remapped[o](x, y, k);
            } else {
                detail(x, y, k) =
                    remapped[o](x, y, k) - twice(remapped[o + 1], "wide" + number)(x, y, k);
            }
            const Expr place = grays[o](x, y) * steps;
            const Expr below = Halide::clamp(cast<int>(place), 0, levels - 2);
            chosen(x, y) = Halide::lerp(detail(x, y, below), detail(x, y, below + 1),
                                        Halide::clamp(place - below, 0.0F, 1.0F));
            result[o] = Func("result" + number);
            if (top) {
                result[o](x, y) = chosen(x, y);
            } else {
                result[o](x, y) = chosen(x, y) + twice(result[o + 1], "sum" + number)(x, y);
            }
        }
        constexpr float kDark = 0.01F;  // of black, so that it has a colour
        Func coloured("coloured");
        coloured(x, y, c) = input(x, y, c) * (result[0](x, y) + kDark) / (gray(x, y) + kDark);
        output(x, y, c) = cast<uint16_t>(Halide::clamp(coloured(x, y, c), 0.0F, kWhite));

        levels.set_estimate(8);
        alpha.set_estimate(1.0F);
        beta.set_estimate(1.0F);
        emulsion::classic::estimate_shape(input, {width, height, 3});
        emulsion::classic::estimate_shape(output, {width, height, 3});
        output.dim(2).set_bounds(0, 3);
    }

private:
    static constexpr float kWhite = 65535.0F, kFine = 256.0F;

    // Half the size, by (1 3 3 1) / 8 down and across.
    Func half(const Func &f, const std::string &name) {
        using Halide::_;
        Func down(name + "_down"), both(name);
        down(x, y, _) = (f(x, 2 * y - 1, _) + 3.0F * (f(x, 2 * y, _) + f(x, 2 * y + 1, _)) +
                         f(x, 2 * y + 2, _)) /
                        8.0F;
        both(x, y, _) =
            (down(2 * x - 1, y, _) + 3.0F * (down(2 * x, y, _) + down(2 * x + 1, y, _)) +
             down(2 * x + 2, y, _)) /
            8.0F;
        return both;
    }

    // Twice the size, linear between.
    Func twice(const Func &f, const std::string &name) {
        using Halide::_;
        const auto share = [](const Expr &at) { return Halide::select(at % 2 == 0, 0.25F, 0.75F); };
        Func across(name + "_across"), both(name);
        across(x, y, _) = Halide::lerp(f((x + 1) / 2, y, _), f((x - 1) / 2, y, _), share(x));
        both(x, y, _) =
            Halide::lerp(across(x, (y + 1) / 2, _), across(x, (y - 1) / 2, _), share(y));
        return both;
    }

    Var x{"x"}, y{"y"}, c{"c"}, k{"k"}, i{"i"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(LocalLaplacian, local_laplacian)
