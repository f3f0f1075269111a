// MobileNet-V1 1.0, 224 (Howard et al. 2017, table 1): a convolution, then 13 pairs of a depthwise
// and a pointwise one, each with batch norm and ReLU6.
#include <iterator>

#include "frontend/zoo/network.h"

namespace emulsion {

namespace {

struct Block {
    int64_t channels;
    int64_t stride;
};

constexpr Block kBlocks[] = {{64, 1},  {128, 2}, {128, 1}, {256, 2}, {256, 1},  {512, 2}, {512, 1},
                             {512, 1}, {512, 1}, {512, 1}, {512, 1}, {1024, 2}, {1024, 1}};

ZooValue conv_norm_relu6(NetworkBuilder &net, const std::string &name, const ZooValue &x,
                         ConvOptions options, double gain = 1.0) {
    options.bias = false;
    const ZooValue conv = net.conv(name + ".conv", x, options);
    return net.relu6(name + ".relu6", net.batch_norm(name + ".norm", conv, {.gain = gain}));
}

void build_mobilenet_v1(NetworkBuilder &net) {
    ZooValue x = net.images("input", 224);
    x = conv_norm_relu6(net, "stem", x, {.channels = 32, .stride = 2});
    int number = 0;
    for (const Block &block : kBlocks) {
        const std::string name = "block" + std::to_string(++number);
        const int64_t channels = x.shape[1];
        // The mean over 7x7 values is small beside them: the last block makes larger ones.
        const double gain = number == std::ssize(kBlocks) ? 2.0 : 1.0;
        x = conv_norm_relu6(net, name + ".depthwise", x,
                            {.channels = channels, .stride = block.stride, .group = channels});
        x = conv_norm_relu6(net, name + ".pointwise", x,
                            {.channels = block.channels, .kernel = 1, .padding = 0}, gain);
    }
    x = net.flatten("flatten", net.global_average_pool("pool", x));
    net.output(net.gemm("logits", x, 1000));
}

}  // namespace

const Network &zoo_mobilenet_v1() {
    static const Network network = {
        {"mobilenet_v1", "MobileNet-V1 1.0, 224x224, 1000 classes, batch norms as separate nodes",
         4'231'976},
        build_mobilenet_v1};
    return network;
}

}  // namespace emulsion
