// EfficientNet-B0 (Tan and Le 2019, table 1): inverted bottlenecks with squeeze-and-excitation and
// SiLU, padded on all sides alike, as torchvision has it.
#include <algorithm>

#include "frontend/zoo/network.h"

namespace emulsion {

namespace {

struct Stage {
    int64_t expansion;
    int64_t kernel;
    int64_t stride;  // of its first block
    int64_t channels;
    int blocks;
};

constexpr Stage kStages[] = {{1, 3, 1, 16, 1}, {6, 3, 2, 24, 2},  {6, 5, 2, 40, 2},
                             {6, 3, 2, 80, 3}, {6, 5, 1, 112, 3}, {6, 5, 2, 192, 4},
                             {6, 3, 1, 320, 1}};
constexpr BatchNormOptions kNorm = {.epsilon = 1e-3};
// Channels differ enough in their means that what is left after a global pool is not small.
constexpr BatchNormOptions kNormBeforeSilu = {.shift = 1.0, .spread = 0.3, .epsilon = 1e-3};

ZooValue conv_norm_silu(NetworkBuilder &net, const std::string &name, const ZooValue &x,
                        ConvOptions options) {
    options.bias = false;
    const ZooValue conv = net.conv(name + ".conv", x, options);
    return net.silu(name + ".silu", net.batch_norm(name + ".norm", conv, kNormBeforeSilu));
}

ZooValue squeeze_excite(NetworkBuilder &net, const std::string &name, const ZooValue &x,
                        int64_t squeezed) {
    ZooValue gates = net.global_average_pool(name + ".pool", x);
    gates = net.conv(name + ".reduce", gates,
                     {.channels = squeezed, .kernel = 1, .padding = 0, .shift = 1.0});
    gates = net.silu(name + ".silu", gates);
    gates = net.conv(name + ".expand", gates, {.channels = x.shape[1], .kernel = 1, .padding = 0});
    return net.gate(name + ".scale", x, net.sigmoid(name + ".gates", gates));
}

ZooValue block(NetworkBuilder &net, const std::string &name, const ZooValue &x, const Stage &stage,
               int64_t stride) {
    const int64_t channels = x.shape[1] * stage.expansion;
    ZooValue y = x;
    if (stage.expansion > 1) {
        y = conv_norm_silu(net, name + ".expand", y,
                           {.channels = channels, .kernel = 1, .padding = 0});
    }
    y = conv_norm_silu(net, name + ".depthwise", y,
                       {.channels = channels,
                        .kernel = stage.kernel,
                        .stride = stride,
                        .padding = stage.kernel / 2,
                        .group = channels});
    y = squeeze_excite(net, name + ".excite", y, std::max<int64_t>(1, x.shape[1] / 4));
    y = net.conv(name + ".project.conv", y,
                 {.channels = stage.channels, .kernel = 1, .padding = 0, .bias = false});
    y = net.batch_norm(name + ".project.norm", y, kNorm);
    return stride == 1 && y.shape == x.shape ? net.add(name + ".add", y, x) : y;
}

void build_efficientnet_b0(NetworkBuilder &net) {
    ZooValue x = net.images("input", 224);
    x = conv_norm_silu(net, "stem", x, {.channels = 32, .stride = 2});
    int number = 0;
    for (const Stage &stage : kStages) {
        for (int i = 0; i < stage.blocks; ++i) {
            x = block(net, "block" + std::to_string(++number), x, stage, i == 0 ? stage.stride : 1);
        }
    }
    x = conv_norm_silu(net, "head", x, {.channels = 1280, .kernel = 1, .padding = 0});
    x = net.flatten("flatten", net.global_average_pool("pool", x));
    net.output(net.gemm("logits", x, 1000));
}

}  // namespace

const Network &zoo_efficientnet_b0() {
    static const Network network = {
        {"efficientnet_b0", "EfficientNet-B0, 224x224, 1000 classes, batch norms as separate nodes",
         5'288'548},
        build_efficientnet_b0};
    return network;
}

}  // namespace emulsion
