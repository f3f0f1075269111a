// Concatenations in a small space: four branches side by side (Szegedy et al. 2015), a chain in which
// every layer reads all before it (Huang et al. 2017), and a coarse path that is upsampled and joined
// to the fine one. Two outputs; one of them is read as well.
#include "frontend/zoo/network.h"

namespace emulsion {

namespace {

ZooValue conv_leaky(NetworkBuilder &net, const std::string &name, const ZooValue &x,
                    int64_t channels, int64_t kernel, int64_t stride = 1) {
    const ZooValue conv = net.conv(name + ".conv", x,
                                   {.channels = channels,
                                    .kernel = kernel,
                                    .stride = stride,
                                    .padding = kernel / 2,
                                    .shift = 1.0});
    return net.leaky_relu(name + ".relu", conv);
}

ZooValue inception(NetworkBuilder &net, const std::string &name, const ZooValue &x) {
    const ZooValue three = conv_leaky(net, name + ".reduce3", x, 8, 1);
    const ZooValue five = conv_leaky(net, name + ".reduce5", x, 4, 1);
    const ZooValue pool = net.max_pool(name + ".pool", x, {.kernel = 3, .stride = 1, .padding = 1});
    return net.concat(name + ".concat", {conv_leaky(net, name + ".branch1", x, 8, 1),
                                         conv_leaky(net, name + ".branch3", three, 12, 3),
                                         conv_leaky(net, name + ".branch5", five, 6, 5),
                                         conv_leaky(net, name + ".branch_pool", pool, 6, 1)});
}

ZooValue dense(NetworkBuilder &net, const std::string &name, ZooValue x, int layers) {
    for (int i = 1; i <= layers; ++i) {
        const std::string layer = name + std::to_string(i);
        x = net.concat(layer + ".concat", {x, conv_leaky(net, layer, x, 8, 3)});
    }
    return x;
}

void build_tiny_concat(NetworkBuilder &net) {
    ZooValue x = net.images("input", 16);
    x = inception(net, "inception", conv_leaky(net, "stem", x, 16, 3));
    const ZooValue coarse = dense(net, "dense", conv_leaky(net, "down", x, 16, 3, 2), 3);
    const ZooValue map = net.conv("coarse", coarse, {.channels = 12, .kernel = 1, .padding = 0});
    net.output(map);
    const ZooValue joined = net.concat("join", {net.upsample("upsample", map), x});
    net.output(net.conv("fine", joined, {.channels = 12}));
}

}  // namespace

const Network &zoo_tiny_concat() {
    static const Network network = {
        {"tiny_concat", "branches, a dense chain and upsampling, all concatenated, 16x16, two maps",
         17'460},
        build_tiny_concat};
    return network;
}

}  // namespace emulsion
