// Corner strength after Harris and Stephens (1988): the structure tensor of a Sobel gradient, summed over
// 3x3 pixels, and det - 0.04 trace^2 of it.
#include "generators/classic/image.h"

namespace {

class HarrisCorners : public Halide::Generator<HarrisCorners> {
public:
    GeneratorParam<int> width{"width", 1536, 1, 1 << 15};
    GeneratorParam<int> height{"height", 2560, 1, 1 << 15};

    Input<Buffer<float, 3>> input{"input"};
    Output<Buffer<float, 2>> output{"output"};

    void generate() {
        Func gray("gray"), gx("gx"), gy("gy"), gxx("gxx"), gyy("gyy"), gxy("gxy"), det("det"),
            trace("trace");
        Func clamped = Halide::BoundaryConditions::repeat_edge(input);
        gray(x, y) = emulsion::classic::luma(clamped, x, y);
        gx(x, y) = (slope_x(gray, y - 1) + 2.0F * slope_x(gray, y) + slope_x(gray, y + 1)) / 12.0F;
        gy(x, y) = (slope_y(gray, x - 1) + 2.0F * slope_y(gray, x) + slope_y(gray, x + 1)) / 12.0F;
        gxx(x, y) = gx(x, y) * gx(x, y);
        gyy(x, y) = gy(x, y) * gy(x, y);
        gxy(x, y) = gx(x, y) * gy(x, y);
        const Func xx = sum3x3(gxx, "xx"), yy = sum3x3(gyy, "yy"), xy = sum3x3(gxy, "xy");
        det(x, y) = xx(x, y) * yy(x, y) - xy(x, y) * xy(x, y);
        trace(x, y) = xx(x, y) + yy(x, y);
        output(x, y) = det(x, y) - 0.04F * trace(x, y) * trace(x, y);

        emulsion::classic::estimate_shape(input, {width, height, 3});
        emulsion::classic::estimate_shape(output, {width, height});
    }

private:
    Expr slope_x(const Func &f, const Expr &row) const { return f(x + 1, row) - f(x - 1, row); }
    Expr slope_y(const Func &f, const Expr &column) const {
        return f(column, y + 1) - f(column, y - 1);
    }

    Func sum3x3(const Func &f, const std::string &name) const {
        Expr sum = 0.0F;
        for (int dy = -1; dy <= 1; dy++) {
            for (int dx = -1; dx <= 1; dx++) {
                sum += f(x + dx, y + dy);
            }
        }
        Func result(name);
        result(x, y) = sum;
        return result;
    }

    Var x{"x"}, y{"y"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(HarrisCorners, harris_corners)
