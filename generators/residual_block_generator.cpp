// A residual block: relu(input + conv(relu(conv(input)))), both convolutions 3x3 with bias and the
// image's size kept, on input[batch][channels][height][width], filters [out][in][3][3].
#include "generators/graph_builder.h"
#include "generators/graph_generator.h"

namespace {

class ResidualBlock : public emulsion::GraphGenerator<ResidualBlock> {
public:
    GeneratorParam<int> batch{"batch", 1, 1, 1 << 16};
    GeneratorParam<int> channels{"channels", 64, 1, 1 << 16};
    GeneratorParam<int> width{"width", 56, 1, 1 << 16};
    GeneratorParam<int> height{"height", 56, 1, 1 << 16};

    emulsion::Graph make_graph() {
        emulsion::GraphBuilder g;
        const std::vector<int64_t> shape = {batch, channels, height, width};
        const std::vector<int64_t> filter = {channels, channels, 3, 3};
        const auto x = g.input("input", shape);
        const auto w1 = g.input("first_filter", filter);
        const auto b1 = g.input("first_bias", {channels});
        const auto w2 = g.input("second_filter", filter);
        const auto b2 = g.input("second_bias", {channels});
        const std::map<std::string, emulsion::Attribute> same = {
            {"pads", std::vector<int64_t>{1, 1, 1, 1}}};
        const auto first = g.node("Relu", {g.node("Conv", {x, w1, b1}, shape, same)}, shape);
        const auto second = g.node("Conv", {first, w2, b2}, shape, same);
        return g.finish(g.node("Relu", {g.node("Add", {second, x}, shape)}, shape));
    }
};

}  // namespace

HALIDE_REGISTER_GENERATOR(ResidualBlock, residual_block)
