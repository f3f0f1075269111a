// From a camera's raw data to an image: hot pixels removed, the Bayer mosaic (green and red in even rows,
// blue and green in odd ones) filled in, colours corrected, a tone curve, sharpened; in integers.
#include "generators/classic/image.h"

namespace {

class CameraPipe : public Halide::Generator<CameraPipe> {
public:
    GeneratorParam<int> width{"width", 2592, 4, 1 << 15};
    GeneratorParam<int> height{"height", 1968, 4, 1 << 15};

    Input<Buffer<uint16_t, 2>> input{"input"};           // with a border, see below
    Input<Buffer<float, 2>> warm_matrix{"warm_matrix"};  // 4x3, for 3200 K
    Input<Buffer<float, 2>> cold_matrix{"cold_matrix"};  // 4x3, for 7000 K
    Input<float> temperature{"temperature"};             // K
    Input<float> gamma{"gamma"};
    Input<float> contrast{"contrast"};
    Input<float> sharpness{"sharpness"};
    Input<int> black{"black"};
    Input<int> white{"white"};
    Output<Buffer<uint8_t, 3>> output{"output"};

    void generate() {
        Func moved("moved"), cool("cool");
        moved(x, y) = input(x + kBorderX, y + kBorderY);
        const Expr around =
            Halide::max(moved(x - 2, y), moved(x + 2, y), moved(x, y - 2), moved(x, y + 2));
        cool(x, y) = Halide::min(moved(x, y), around);

        const Func sharp = sharpened(curved(corrected(demosaiced(cool))));
        output(x, y, c) = sharp(x, y, c);

        temperature.set_estimate(3700.0F);
        gamma.set_estimate(2.0F);
        contrast.set_estimate(50.0F);
        sharpness.set_estimate(1.0F);
        black.set_estimate(25);
        white.set_estimate(1023);
        emulsion::classic::estimate_shape(warm_matrix, {4, 3});
        emulsion::classic::estimate_shape(cold_matrix, {4, 3});
        emulsion::classic::estimate_shape(input, {width + 2 * kBorderX, height + 2 * kBorderY});
        emulsion::classic::estimate_shape(output, {width, height, 3});
        output.dim(2).set_bounds(0, 3);
    }

private:
    static constexpr int kBorderX = 16, kBorderY = 12;

    Expr middle(const Expr &a, const Expr &b) {
        const Halide::Type type = a.type(), wide = type.widen();
        return Halide::cast(type, (Halide::cast(wide, a) + Halide::cast(wide, b) + 1) / 2);
    }

    // A colour at a site that lacks it: the mean of two neighbours, plus what the same mean misses of the
    // green that is known there.
    Expr guided(const Expr &green, const Expr &green_a, const Expr &green_b, const Expr &a,
                const Expr &b) {
        return green - middle(green_a, green_b) + middle(a, b);
    }

    // The pair that differs less.
    Expr smoother(const Expr &a, const Expr &difference_a, const Expr &b,
                  const Expr &difference_b) {
        return Halide::select(difference_a < difference_b, a, b);
    }

    // The four sites of a mosaic: green beside red, red, blue, green beside blue.
    Func demosaiced(const Func &raw) {
        Func planes("planes");
        planes(x, y, c) = Halide::mux(c, {raw(2 * x, 2 * y), raw(2 * x + 1, 2 * y),
                                          raw(2 * x, 2 * y + 1), raw(2 * x + 1, 2 * y + 1)});
        Func g_gr("g_gr"), r_r("r_r"), b_b("b_b"), g_gb("g_gb");
        g_gr(x, y) = planes(x, y, 0);
        r_r(x, y) = planes(x, y, 1);
        b_b(x, y) = planes(x, y, 2);
        g_gb(x, y) = planes(x, y, 3);

        // Green at red and at blue, along the direction of the smaller difference.
        Func g_r("g_r"), g_b("g_b");
        g_r(x, y) =
            smoother(middle(g_gr(x + 1, y), g_gr(x, y)), Halide::absd(g_gr(x + 1, y), g_gr(x, y)),
                     middle(g_gb(x, y - 1), g_gb(x, y)), Halide::absd(g_gb(x, y - 1), g_gb(x, y)));
        g_b(x, y) =
            smoother(middle(g_gb(x - 1, y), g_gb(x, y)), Halide::absd(g_gb(x - 1, y), g_gb(x, y)),
                     middle(g_gr(x, y + 1), g_gr(x, y)), Halide::absd(g_gr(x, y + 1), g_gr(x, y)));

        // Red and blue at green sites.
        Func r_gr("r_gr"), b_gr("b_gr"), r_gb("r_gb"), b_gb("b_gb");
        r_gr(x, y) = guided(g_gr(x, y), g_r(x, y), g_r(x - 1, y), r_r(x - 1, y), r_r(x, y));
        b_gr(x, y) = guided(g_gr(x, y), g_b(x, y), g_b(x, y - 1), b_b(x, y), b_b(x, y - 1));
        r_gb(x, y) = guided(g_gb(x, y), g_r(x, y), g_r(x, y + 1), r_r(x, y), r_r(x, y + 1));
        b_gb(x, y) = guided(g_gb(x, y), g_b(x, y), g_b(x + 1, y), b_b(x, y), b_b(x + 1, y));

        // Red at blue and blue at red, along one diagonal or the other.
        Func r_b("r_b"), b_r("b_r");
        r_b(x, y) =
            smoother(guided(g_b(x, y), g_r(x, y), g_r(x - 1, y + 1), r_r(x, y), r_r(x - 1, y + 1)),
                     Halide::absd(r_r(x, y), r_r(x - 1, y + 1)),
                     guided(g_b(x, y), g_r(x - 1, y), g_r(x, y + 1), r_r(x - 1, y), r_r(x, y + 1)),
                     Halide::absd(r_r(x - 1, y), r_r(x, y + 1)));
        b_r(x, y) =
            smoother(guided(g_r(x, y), g_b(x, y), g_b(x + 1, y - 1), b_b(x, y), b_b(x + 1, y - 1)),
                     Halide::absd(b_b(x, y), b_b(x + 1, y - 1)),
                     guided(g_r(x, y), g_b(x + 1, y), g_b(x, y - 1), b_b(x + 1, y), b_b(x, y - 1)),
                     Halide::absd(b_b(x + 1, y), b_b(x, y - 1)));

        const Func red = mosaic({r_gr, r_r, r_b, r_gb}, "red");
        const Func green = mosaic({g_gr, g_r, g_b, g_gb}, "green");
        const Func blue = mosaic({b_gr, b_r, b_b, b_gb}, "blue");
        Func result("demosaiced");
        // Guided means can be negative.
        result(x, y, c) = cast<int16_t>(Halide::mux(c, {red(x, y), green(x, y), blue(x, y)}));
        return result;
    }

    // Interleaves what belongs to the four sites.
    Func mosaic(const std::vector<Func> &sites, const std::string &name) {
        Func even(name + "_even"), odd(name + "_odd"), all(name);
        even(x, y) = Halide::select(x % 2 == 0, sites[0](x / 2, y), sites[1](x / 2, y));
        odd(x, y) = Halide::select(x % 2 == 0, sites[2](x / 2, y), sites[3](x / 2, y));
        all(x, y) = Halide::select(y % 2 == 0, even(x, y / 2), odd(x, y / 2));
        return all;
    }

    // By a 3x4 matrix in fixed point (Q8.8), between two that were measured.
    Func corrected(const Func &image) {
        Func matrix("matrix"), result("corrected");
        const Expr share = (1.0F / temperature - 1.0F / 3200) / (1.0F / 7000 - 1.0F / 3200);
        matrix(x, y) = cast<int16_t>(
            (warm_matrix(x, y) * share + cold_matrix(x, y) * (1.0F - share)) * 256.0F);
        const auto row = [&](int r) {
            Expr sum = cast<int>(matrix(3, r));
            for (int i = 0; i < 3; i++) {
                sum += matrix(i, r) * cast<int>(image(x, y, i));
            }
            return cast<int16_t>(sum / 256);
        };
        result(x, y, c) = Halide::mux(c, {row(0), row(1), row(2)});
        return result;
    }

    // Black, white, gamma and contrast in a table.
    Func curved(const Func &image) {
        constexpr int kLast = 1023;  // raw data have ten bits
        Func curve("curve"), result("curved");
        const Expr bend = 2.0F - Halide::pow(2.0F, contrast / 100.0F), slope = 2.0F - 2.0F * bend;
        const Expr linear = Halide::clamp(cast<float>(i - black) / (white - black), 0.0F, 1.0F);
        const Expr g = Halide::pow(linear, 1.0F / gamma), h = 1.0F - g;
        const Expr s =
            Halide::select(g > 0.5F, 1.0F - (slope * h * h + bend * h), slope * g * g + bend * g);
        curve(i) = cast<uint8_t>(Halide::clamp(s * 255.0F + 0.5F, 0.0F, 255.0F));
        result(x, y, c) = curve(Halide::clamp(cast<int>(image(x, y, c)), 0, kLast));
        return result;
    }

    Func sharpened(const Func &image) {
        Func strength("strength"), down("blur_down"), across("blur_across"), mask("mask"),
            result("sharpened");
        strength() = cast<uint8_t>(Halide::clamp(sharpness * 32.0F, 0.0F, 255.0F));
        down(x, y, c) = middle(middle(image(x, y - 1, c), image(x, y + 1, c)), image(x, y, c));
        across(x, y, c) = middle(middle(down(x - 1, y, c), down(x + 1, y, c)), down(x, y, c));
        mask(x, y, c) = cast<int16_t>(image(x, y, c)) - cast<int16_t>(across(x, y, c));
        result(x, y, c) = cast<uint8_t>(Halide::clamp(
            cast<int16_t>(image(x, y, c)) + mask(x, y, c) * cast<int16_t>(strength()) / 32, 0,
            255));
        return result;
    }

    Var x{"x"}, y{"y"}, c{"c"}, i{"i"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(CameraPipe, camera_pipe)
