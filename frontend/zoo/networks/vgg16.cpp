// VGG-16 (Simonyan and Zisserman 2014, configuration D), inference: without dropout.
#include "frontend/zoo/network.h"

namespace emulsion {

namespace {

struct VggStage {
    int64_t channels;
    int layers;
};

constexpr VggStage kVggStages[] = {{64, 2}, {128, 2}, {256, 3}, {512, 3}, {512, 3}};

void build_vgg16(NetworkBuilder &net) {
    ZooValue x = net.images("input", 224);
    int number = 0;
    for (const VggStage &stage : kVggStages) {
        const std::string suffix = std::to_string(++number);
        for (int layer = 1; layer <= stage.layers; ++layer) {
            const std::string name = suffix + "_" + std::to_string(layer);
            x = net.conv("conv" + name, x, {.channels = stage.channels});
            x = net.relu("relu" + name, x);
        }
        x = net.max_pool("pool" + suffix, x);
    }
    x = net.flatten("flatten", x);
    x = net.relu("relu6", net.gemm("fc6", x, 4096));
    x = net.relu("relu7", net.gemm("fc7", x, 4096));
    net.output(net.gemm("logits", x, 1000));
}

}  // namespace

const Network &zoo_vgg16() {
    static const Network network = {
        {"vgg16", "VGG-16, 224x224, 1000 classes (553 MB)", 138'357'544}, build_vgg16};
    return network;
}

}  // namespace emulsion
