// A first-order recursive blur: down and up every column, then right and left along every row, which is
// done as columns of the transposed image.
#include "generators/classic/image.h"

namespace {

class RecursiveFilter : public Halide::Generator<RecursiveFilter> {
public:
    GeneratorParam<int> width{"width", 1536, 1, 1 << 15};
    GeneratorParam<int> height{"height", 2560, 1, 1 << 15};

    Input<Buffer<float, 3>> input{"input"};
    Input<float> alpha{"alpha"};  // weight of the new sample
    Output<Buffer<float, 3>> output{"output"};

    void generate() {
        const Func columns = transposed(blurred(input, input.height(), "columns"), "turned");
        const Func rows = transposed(blurred(columns, input.width(), "rows"), "turned_back");
        output(x, y, c) = rows(x, y, c);

        alpha.set_estimate(0.1F);
        emulsion::classic::estimate_shape(input, {width, height, 3});
        emulsion::classic::estimate_shape(output, {width, height, 3});
        output.dim(2).set_bounds(0, 3);
    }

private:
    template<typename Image>
    Func blurred(const Image &image, const Expr &length, const std::string &name) const {
        Func f(name);
        RDom r(1, length - 1);
        f(x, y, c) = Halide::undef<float>();
        f(x, 0, c) = image(x, 0, c);
        f(x, r, c) = mixed(f(x, r - 1, c), image(x, r, c));
        const Expr back = length - 1 - r;
        f(x, back, c) = mixed(f(x, back + 1, c), f(x, back, c));
        return f;
    }

    Func transposed(const Func &f, const std::string &name) const {
        Func result(name);
        result(x, y, c) = f(y, x, c);
        return result;
    }

    Expr mixed(const Expr &before, const Expr &sample) const {
        return (1.0F - alpha) * before + alpha * sample;
    }

    Var x{"x"}, y{"y"}, c{"c"};
};

}  // namespace

HALIDE_REGISTER_GENERATOR(RecursiveFilter, recursive_filter)
