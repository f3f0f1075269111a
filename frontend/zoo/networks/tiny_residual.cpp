// A small residual network (He et al. 2015): two blocks with batch norms, added to their inputs.
#include "frontend/zoo/network.h"

namespace emulsion {

namespace {

ZooValue plain_conv_norm(NetworkBuilder &net, const std::string &name, const ZooValue &x) {
    const ZooValue conv = net.conv(name + ".conv", x, {.channels = 16, .bias = false});
    return net.batch_norm(name + ".norm", conv);
}

void build_tiny_residual(NetworkBuilder &net) {
    ZooValue x = net.images("input", 16);
    x = net.relu("stem.relu", plain_conv_norm(net, "stem", x));
    for (const std::string block : {"block1", "block2"}) {
        const ZooValue first = net.relu(block + ".relu1", plain_conv_norm(net, block + ".1", x));
        const ZooValue sum = net.add(block + ".add", x, plain_conv_norm(net, block + ".2", first));
        x = net.relu(block + ".relu2", sum);
    }
    x = net.flatten("flatten", net.global_average_pool("pool", x));
    net.output(net.gemm("logits", x, 10));
}

}  // namespace

const Network &zoo_tiny_residual() {
    static const Network network = {
        {"tiny_residual", "two residual blocks with batch norms, 16x16, 10 classes", 9'978},
        build_tiny_residual};
    return network;
}

}  // namespace emulsion
