// A Gaussian blur by a recursive filter of third order (Young, van Vliet 1995), whose work does not depend on
// how wide it is: right and left along every row, then down and up every column, in place.
#include "generators/classic/image.h"

namespace {

class RecursiveGaussian : public Halide::Generator<RecursiveGaussian> {
public:
    GeneratorParam<int> width{"width", 1536, 4, 1 << 15};
    GeneratorParam<int> height{"height", 2560, 4, 1 << 15};
    GeneratorParam<float> sigma{"sigma", 8.0F};  // pixels, at least 2.5

    Input<Buffer<float, 2>> input{"input"};
    Output<Buffer<float, 2>> output{"output"};

    void generate() {
        Func rows("rows"), columns("columns");
        rows(x, y) = input(x, y);
        const RDom u(kOrder, input.width() - kOrder, "u");
        const Expr left = input.width() - 1 - u;
        rows(u, y) = next(rows(u, y), [&](int d) { return rows(u - d, y); });
        rows(left, y) = next(rows(left, y), [&](int d) { return rows(left + d, y); });

        columns(x, y) = rows(x, y);
        const RDom v(kOrder, input.height() - kOrder, "v");
        const Expr up = input.height() - 1 - v;
        columns(x, v) = next(columns(x, v), [&](int d) { return columns(x, v - d); });
        columns(x, up) = next(columns(x, up), [&](int d) { return columns(x, up + d); });
        output(x, y) = columns(x, y);

        emulsion::classic::estimate_shape(input, {width, height});
        emulsion::classic::estimate_shape(output, {width, height});
    }

private:
    static constexpr int kOrder = 3;

    // The result at a place from the sample there and the three results before it.
    template<typename Before>
    Expr next(const Expr &sample, const Before &before) const {
        // The paper's coefficients, from where sigma is at least 2.5.
        const float q = 0.98711F * float(sigma) - 0.96330F;
        const float b0 = 1.57825F + q * (2.44413F + q * (1.4281F + q * 0.422205F));
        const float b1 = q * (2.44413F + q * (2.85619F + q * 1.26661F)) / b0;
        const float b2 = -q * q * (1.4281F + q * 1.26661F) / b0;
        const float b3 = q * q * q * 0.422205F / b0;
        return (1.0F - (b1 + b2 + b3)) * sample + b1 * before(1) + b2 * before(2) + b3 * before(3);
    }

    Var x{"x"}, y{"y"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(RecursiveGaussian, recursive_gaussian)
