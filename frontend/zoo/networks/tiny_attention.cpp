// One transformer block (Vaswani et al. 2017), normalised before attention and before the perceptron.
#include "frontend/zoo/network.h"

namespace emulsion {

namespace {

constexpr int64_t kSequence = 16;
constexpr int64_t kWidth = 32;
constexpr int64_t kHeads = 4;

// [1, sequence, width] to one matrix for each head.
ZooValue heads(NetworkBuilder &net, const std::string &name, const ZooValue &x,
               const std::vector<int64_t> &order) {
    const ZooValue split = net.reshape(name + ".heads", x, {1, kSequence, kHeads, kWidth / kHeads});
    return net.transpose(name + ".transpose", split, order);
}

ZooValue attention(NetworkBuilder &net, const std::string &name, const ZooValue &x) {
    // Scores of standard deviation 2: with less, all places would get nearly equal weights.
    const ZooValue q = net.linear(name + ".query", x, {.features = kWidth, .gain = 2.0});
    const ZooValue k = net.linear(name + ".key", x, {.features = kWidth});
    const ZooValue v = net.linear(name + ".value", x, {.features = kWidth});
    ZooValue scores = net.mat_mul(name + ".scores", heads(net, name + ".query", q, {0, 2, 1, 3}),
                                  heads(net, name + ".key", k, {0, 2, 3, 1}));
    scores = net.scale(name + ".scaled", scores, 0.35355338F);  // 1 / sqrt(width / heads)
    const ZooValue mixed = net.mat_mul(name + ".mixed", net.softmax(name + ".softmax", scores),
                                       heads(net, name + ".value", v, {0, 2, 1, 3}));
    const ZooValue joined =
        net.reshape(name + ".joined", net.transpose(name + ".transpose", mixed, {0, 2, 1, 3}),
                    {1, kSequence, kWidth});
    return net.linear(name, joined, {.features = kWidth});
}

ZooValue perceptron(NetworkBuilder &net, const std::string &name, const ZooValue &x) {
    const ZooValue hidden = net.linear(name + ".hidden", x, {.features = 4 * kWidth, .shift = 1.0});
    return net.linear(name, net.gelu(name + ".gelu", hidden), {.features = kWidth});
}

void build_tiny_attention(NetworkBuilder &net) {
    ZooValue x = net.input("input", {1, kSequence, kWidth});
    x = net.add("add1", x, attention(net, "attention", net.layer_norm("norm1", x)));
    x = net.add("add2", x, perceptron(net, "perceptron", net.layer_norm("norm2", x)));
    net.output(x);
}

}  // namespace

const Network &zoo_tiny_attention() {
    static const Network network = {
        {"tiny_attention", "a transformer block of 4 heads, 16 places of 32 features", 12'704},
        build_tiny_attention};
    return network;
}

}  // namespace emulsion
