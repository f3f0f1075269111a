// The product of two square matrices of floats.
#include "generators/classic/image.h"

namespace {

class MatrixProduct : public Halide::Generator<MatrixProduct> {
public:
    GeneratorParam<int> size{"size", 1024, 1, 1 << 13};

    Input<Buffer<float, 2>> a{"a"}, b{"b"};
    Output<Buffer<float, 2>> output{"output"};

    void generate() {
        Var x("x"), y("y");
        RDom k(0, int(size), "k");
        Func product("product");
        product(x, y) = 0.0F;
        product(x, y) += a(k, y) * b(x, k);
        output(x, y) = product(x, y);

        for (auto *matrix : {&a, &b}) {
            emulsion::classic::estimate_shape(*matrix, {size, size});
        }
        emulsion::classic::estimate_shape(output, {size, size});
    }
};

}  // namespace

HALIDE_REGISTER_GENERATOR(MatrixProduct, matrix_product)
