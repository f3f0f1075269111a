// Scaled dot-product attention of several heads: softmax(Q K / sqrt(features)) V, with
// queries[heads][sequence][features], keys transposed as keys[heads][features][sequence], and
// values[heads][sequence][features].
#include <cmath>

#include "generators/graph_builder.h"
#include "generators/graph_generator.h"

namespace {

class Attention : public emulsion::GraphGenerator<Attention> {
public:
    GeneratorParam<int> heads{"heads", 8, 1, 1 << 16};
    GeneratorParam<int> sequence{"sequence", 128, 1, 1 << 16};
    GeneratorParam<int> features{"features", 64, 1, 1 << 16};  // of each head

    emulsion::Graph make_graph() {
        emulsion::GraphBuilder g;
        const std::vector<int64_t> rows = {heads, sequence, features};
        const std::vector<int64_t> square = {heads, sequence, sequence};
        const auto q = g.input("queries", rows);
        const auto k = g.input("keys", {heads, features, sequence});
        const auto v = g.input("values", rows);
        const float scale = 1.0F / std::sqrt(static_cast<float>(int(features)));
        const auto products = g.node("MatMul", {q, k}, square);
        const auto scores = g.node("Mul", {products, g.number(scale)}, square);
        const auto weights = g.node("Softmax", {scores}, square, {{"axis", int64_t{-1}}});
        return g.finish(g.node("MatMul", {weights, v}, rows));
    }
};

}  // namespace

HALIDE_REGISTER_GENERATOR(Attention, attention)
