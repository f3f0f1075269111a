// A fully connected layer: output[b][o] = sum over i of input[b][i] weights[o][i] + bias[o], with
// ReLU unless relu=false.
#include "generators/graph_builder.h"
#include "generators/graph_generator.h"

namespace {

class FullyConnected : public emulsion::GraphGenerator<FullyConnected> {
public:
    GeneratorParam<int> batch{"batch", 1, 1, 1 << 16};
    GeneratorParam<int> in_features{"in_features", 1024, 1, 1 << 20};
    GeneratorParam<int> out_features{"out_features", 1000, 1, 1 << 20};
    GeneratorParam<bool> relu{"relu", true};

    emulsion::Graph make_graph() {
        emulsion::GraphBuilder g;
        const auto x = g.input("input", {batch, in_features});
        const auto w = g.input("weights", {out_features, in_features});
        const auto b = g.input("bias", {out_features});
        auto y = g.node("Gemm", {x, w, b}, {batch, out_features}, {{"transB", int64_t{1}}});
        if (relu) {
            y = g.node("Relu", {y}, {batch, out_features});
        }
        return g.finish(y);
    }
};

}  // namespace

HALIDE_REGISTER_GENERATOR(FullyConnected, fully_connected)
