// Squeeze and excite, as MobileNet-V3 has it: the mean of every channel goes through two fully
// connected layers, ReLU between them and a hard sigmoid clip(x / 6 + 1/2, 0, 1) after, and scales
// the channel. input[batch][channels][height][width], weights [out][in][1][1].
#include "generators/graph_builder.h"
#include "generators/graph_generator.h"

namespace {

class SqueezeExcite : public emulsion::GraphGenerator<SqueezeExcite> {
public:
    GeneratorParam<int> batch{"batch", 1, 1, 1 << 16};
    GeneratorParam<int> channels{"channels", 96, 1, 1 << 16};
    GeneratorParam<int> squeezed{"squeezed", 24, 1, 1 << 16};  // channels between the two layers
    GeneratorParam<int> width{"width", 28, 1, 1 << 16};
    GeneratorParam<int> height{"height", 28, 1, 1 << 16};

    emulsion::Graph make_graph() {
        emulsion::GraphBuilder g;
        const std::vector<int64_t> shape = {batch, channels, height, width};
        const std::vector<int64_t> wide = {batch, channels, 1, 1};
        const std::vector<int64_t> narrow = {batch, squeezed, 1, 1};
        const auto x = g.input("input", shape);
        const auto w1 = g.input("squeeze_weights", {squeezed, channels, 1, 1});
        const auto b1 = g.input("squeeze_bias", {squeezed});
        const auto w2 = g.input("excite_weights", {channels, squeezed, 1, 1});
        const auto b2 = g.input("excite_bias", {channels});
        const auto mean = g.node("GlobalAveragePool", {x}, wide);
        const auto hidden = g.node("Relu", {g.node("Conv", {mean, w1, b1}, narrow)}, narrow);
        const auto logits = g.node("Conv", {hidden, w2, b2}, wide);
        const auto scaled = g.node("Mul", {logits, g.number(1.0F / 6.0F)}, wide);
        const auto moved = g.node("Add", {scaled, g.number(0.5F)}, wide);
        const auto gate = g.node("Clip", {moved, g.number(0.0F), g.number(1.0F)}, wide);
        return g.finish(g.node("Mul", {x, gate}, shape));
    }
};

}  // namespace

HALIDE_REGISTER_GENERATOR(SqueezeExcite, squeeze_excite)
