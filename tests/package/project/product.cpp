// A matrix product, c = a b, scheduled by hand for a GPU unless an autoscheduler does it.
#include <Halide.h>

class Product : public Halide::Generator<Product> {
public:
    GeneratorParam<int> rows{"rows", 256, 1, 1 << 16};
    GeneratorParam<int> columns{"columns", 256, 1, 1 << 16};
    GeneratorParam<int> depth{"depth", 256, 1, 1 << 16};
    GeneratorParam<int> tile{"tile", 4, 1, 16};  // results of a thread, in each direction

    Input<Buffer<float, 2>> a{"a"};   // (k, row)
    Input<Buffer<float, 2>> b{"b"};   // (column, k)
    Output<Buffer<float, 2>> c{"c"};  // (column, row)

    void generate() {
        RDom k(0, depth, "k");
        sum(x, y) += a(k, y) * b(x, k);
        c(x, y) = sum(x, y);
        set_extents(a, depth, rows);
        set_extents(b, columns, depth);
        set_extents(c, columns, rows);
        if (!using_autoscheduler()) {
            // Workgroups of 16 x 8 threads, each of which has its results in registers.
            Var xb("xb"), yb("yb"), xt("xt"), yt("yt"), xi("xi"), yi("yi");
            c.tile(x, y, xb, yb, xi, yi, 16 * tile, 8 * tile)
                .tile(xi, yi, xt, yt, xi, yi, tile, tile)
                .gpu_blocks(xb, yb)
                .gpu_threads(xt, yt)
                .vectorize(xi)
                .unroll(yi);
            sum.compute_at(c, xt).vectorize(x).unroll(y);
            sum.update().reorder(x, y, k).vectorize(x).unroll(y).unroll(k, 4);
        }
    }

private:
    Var x{"x"}, y{"y"};
    Func sum{"sum"};

    template<typename Port>
    static void set_extents(Port &port, int width, int height) {
        port.dim(0).set_bounds(0, width).set_estimate(0, width);
        port.dim(1).set_bounds(0, height).set_estimate(0, height).set_stride(width);
    }
};

HALIDE_REGISTER_GENERATOR(Product, product)
