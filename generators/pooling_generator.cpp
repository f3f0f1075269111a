// A pooling layer, kind=max or kind=average, on input[batch][channels][height][width]. The margin of
// `pad` on all sides does not count in an average.
#include "generators/graph_builder.h"
#include "generators/graph_generator.h"

namespace {

enum class Kind { Max, Average };

class Pooling : public emulsion::GraphGenerator<Pooling> {
public:
    GeneratorParam<Kind> kind{"kind", Kind::Max, {{"max", Kind::Max}, {"average", Kind::Average}}};
    GeneratorParam<int> batch{"batch", 1, 1, 1 << 16};
    GeneratorParam<int> channels{"channels", 64, 1, 1 << 16};
    GeneratorParam<int> width{"width", 56, 1, 1 << 16};    // of the input
    GeneratorParam<int> height{"height", 56, 1, 1 << 16};  // of the input
    GeneratorParam<int> kernel{"kernel", 2, 1, 31};
    GeneratorParam<int> stride{"stride", 2, 1, 31};
    GeneratorParam<int> pad{"pad", 0, 0, 15};

    emulsion::Graph make_graph() {
        const int64_t k = kernel, s = stride, p = pad;
        const auto windows = [&](int64_t extent) {
            if (extent + 2 * p < k) {
                throw emulsion::Error("kernel " + std::to_string(k) +
                                      " is larger than the image with its margin");
            }
            return (extent + 2 * p - k) / s + 1;
        };
        emulsion::GraphBuilder g;
        const auto x = g.input("input", {batch, channels, height, width});
        const auto y = g.node(kind == Kind::Max ? "MaxPool" : "AveragePool", {x},
                              {batch, channels, windows(height), windows(width)},
                              {{"kernel_shape", std::vector<int64_t>{k, k}},
                               {"strides", std::vector<int64_t>{s, s}},
                               {"pads", std::vector<int64_t>{p, p, p, p}}});
        return g.finish(y);
    }
};

}  // namespace

HALIDE_REGISTER_GENERATOR(Pooling, pooling)
