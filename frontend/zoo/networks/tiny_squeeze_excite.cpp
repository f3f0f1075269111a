// A small inverted bottleneck with squeeze-and-excitation (Hu et al. 2018).
#include "frontend/zoo/network.h"

namespace emulsion {

namespace {

ZooValue plain_conv_norm_silu(NetworkBuilder &net, const std::string &name, const ZooValue &x,
                              ConvOptions options) {
    options.bias = false;
    const ZooValue conv = net.conv(name + ".conv", x, options);
    return net.silu(name + ".silu",
                    net.batch_norm(name + ".norm", conv, {.shift = 1.0, .spread = 0.3}));
}

void build_tiny_squeeze_excite(NetworkBuilder &net) {
    constexpr int64_t kChannels = 8;
    constexpr int64_t kExpanded = 24;
    ZooValue x = net.images("input", 16);
    x = plain_conv_norm_silu(net, "stem", x, {.channels = kChannels, .stride = 2});

    ZooValue y =
        plain_conv_norm_silu(net, "expand", x, {.channels = kExpanded, .kernel = 1, .padding = 0});
    y = plain_conv_norm_silu(
        net, "depthwise", y,
        {.channels = kExpanded, .kernel = 5, .padding = 2, .group = kExpanded});
    ZooValue gates = net.global_average_pool("excite.pool", y);
    gates =
        net.conv("excite.reduce", gates, {.channels = 4, .kernel = 1, .padding = 0, .shift = 1.0});
    gates = net.conv("excite.expand", net.silu("excite.silu", gates),
                     {.channels = kExpanded, .kernel = 1, .padding = 0});
    y = net.gate("excite.scale", y, net.sigmoid("excite.gates", gates));
    y = net.conv("project.conv", y,
                 {.channels = kChannels, .kernel = 1, .padding = 0, .bias = false});
    x = net.add("add", net.batch_norm("project.norm", y), x);

    x = net.flatten("flatten", net.global_average_pool("pool", x));
    net.output(net.gemm("logits", x, 10));
}

}  // namespace

const Network &zoo_tiny_squeeze_excite() {
    static const Network network = {{"tiny_squeeze_excite",
                                     "an inverted bottleneck with squeeze-and-excitation, 16x16, "
                                     "10 classes",
                                     1'638},
                                    build_tiny_squeeze_excite};
    return network;
}

}  // namespace emulsion
