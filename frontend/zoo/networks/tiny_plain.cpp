// A small chain of convolutions and pools: the thinnest path through the compiler.
#include "frontend/zoo/network.h"

namespace emulsion {

namespace {

void build_tiny_plain(NetworkBuilder &net) {
    ZooValue x = net.images("input", 16);
    x = net.relu("relu1", net.conv("conv1", x, {.channels = 16}));
    x = net.max_pool("pool1", x);
    x = net.relu("relu2", net.conv("conv2", x, {.channels = 32}));
    x = net.max_pool("pool2", x);
    x = net.relu("relu3", net.conv("conv3", x, {.channels = 32, .kernel = 1, .padding = 0}));
    net.output(net.gemm("logits", net.flatten("flatten", x), 10));
}

}  // namespace

const Network &zoo_tiny_plain() {
    static const Network network = {
        {"tiny_plain", "three convolutions with pools, 16x16, 10 classes", 11'274},
        build_tiny_plain};
    return network;
}

}  // namespace emulsion
