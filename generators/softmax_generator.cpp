// Softmax of each row of input[rows][columns].
#include "generators/graph_builder.h"
#include "generators/graph_generator.h"

namespace {

class Softmax : public emulsion::GraphGenerator<Softmax> {
public:
    GeneratorParam<int> rows{"rows", 1, 1, 1 << 20};
    GeneratorParam<int> columns{"columns", 1000, 1, 1 << 20};

    emulsion::Graph make_graph() {
        emulsion::GraphBuilder g;
        const auto x = g.input("input", {rows, columns});
        return g.finish(g.node("Softmax", {x}, {rows, columns}, {{"axis", int64_t{-1}}}));
    }
};

}  // namespace

HALIDE_REGISTER_GENERATOR(Softmax, softmax)
