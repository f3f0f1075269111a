// YOLO-V4, 416 (Bochkovskiy et al. 2020): CSPDarknet53, spatial pyramid pooling, path aggregation, three
// raw heads: 3 anchors of 4 coordinates, objectness and 80 classes.
#include "frontend/zoo/network.h"

namespace emulsion {

namespace {

constexpr int64_t kHeadChannels = 255;

ZooValue conv_norm(NetworkBuilder &net, const std::string &name, const ZooValue &x,
                   int64_t channels, int64_t kernel, int64_t stride) {
    const ZooValue conv = net.conv(name + ".conv", x,
                                   {.channels = channels,
                                    .kernel = kernel,
                                    .stride = stride,
                                    .padding = kernel / 2,
                                    .bias = false});
    return net.batch_norm(name + ".norm", conv, {.shift = 1.0});
}

ZooValue mish(NetworkBuilder &net, const std::string &name, const ZooValue &x, int64_t channels,
              int64_t kernel, int64_t stride = 1) {
    return net.mish(name + ".mish", conv_norm(net, name, x, channels, kernel, stride));
}

ZooValue leaky(NetworkBuilder &net, const std::string &name, const ZooValue &x, int64_t channels,
               int64_t kernel, int64_t stride = 1) {
    return net.leaky_relu(name + ".relu", conv_norm(net, name, x, channels, kernel, stride));
}

// A cross-stage partial stage: half as large, then residual blocks beside a shortcut. The first stage
// keeps all channels in both branches and halves them in its block.
ZooValue stage(NetworkBuilder &net, const std::string &name, const ZooValue &x, int64_t channels,
               int blocks, bool first = false) {
    const int64_t branch = first ? channels : channels / 2;
    const ZooValue down = mish(net, name + ".down", x, channels, 3, 2);
    const ZooValue shortcut = mish(net, name + ".shortcut", down, branch, 1);
    ZooValue y = mish(net, name + ".enter", down, branch, 1);
    for (int i = 1; i <= blocks; ++i) {
        const std::string block = name + ".block" + std::to_string(i);
        const ZooValue inner = mish(net, block + ".1", y, first ? branch / 2 : branch, 1);
        y = net.add(block + ".add", y, mish(net, block + ".2", inner, branch, 3));
    }
    y = mish(net, name + ".leave", y, branch, 1);
    return mish(net, name + ".join", net.concat(name + ".concat", {y, shortcut}), channels, 1);
}

// `layers` convolutions, 1x1 to `channels` and 3x3 to twice as many in turn.
ZooValue bottlenecks(NetworkBuilder &net, const std::string &name, ZooValue x, int64_t channels,
                     int layers) {
    for (int i = 1; i <= layers; ++i) {
        const bool narrow = i % 2 == 1;
        x = leaky(net, name + "." + std::to_string(i), x, narrow ? channels : 2 * channels,
                  narrow ? 1 : 3);
    }
    return x;
}

ZooValue pyramid(NetworkBuilder &net, const ZooValue &x) {
    std::vector<ZooValue> pooled;
    for (const int64_t kernel : {13, 9, 5}) {
        pooled.push_back(net.max_pool("pyramid.pool" + std::to_string(kernel), x,
                                      {.kernel = kernel, .stride = 1, .padding = kernel / 2}));
    }
    pooled.push_back(x);
    return net.concat("pyramid.concat", pooled);
}

// Joins the coarser level, upsampled, with the backbone's level.
ZooValue up(NetworkBuilder &net, const std::string &name, const ZooValue &coarse,
            const ZooValue &fine, int64_t channels) {
    const ZooValue lifted =
        net.upsample(name + ".upsample", leaky(net, name + ".coarse", coarse, channels, 1));
    const ZooValue lateral = leaky(net, name + ".fine", fine, channels, 1);
    return bottlenecks(net, name, net.concat(name + ".concat", {lateral, lifted}), channels, 5);
}

ZooValue down(NetworkBuilder &net, const std::string &name, const ZooValue &fine,
              const ZooValue &coarse, int64_t channels) {
    const ZooValue lowered = leaky(net, name + ".down", fine, channels, 3, 2);
    return bottlenecks(net, name, net.concat(name + ".concat", {lowered, coarse}), channels, 5);
}

// Of standard deviation 0.5: rounding errors of a hundred layers stay far below the absolute part of
// the bound, which counts for the values near zero among half a million.
void head(NetworkBuilder &net, const std::string &name, const ZooValue &x) {
    const ZooValue wide = leaky(net, name + ".1", x, 2 * x.shape[1], 3);
    net.output(
        net.conv(name, wide, {.channels = kHeadChannels, .kernel = 1, .padding = 0, .gain = 0.5}));
}

void build_yolo_v4(NetworkBuilder &net) {
    ZooValue x = net.images("input", 416, 32);
    x = mish(net, "stem", x, 32, 3);
    x = stage(net, "stage1", x, 64, 1, true);
    x = stage(net, "stage2", x, 128, 2);
    const ZooValue fine = stage(net, "stage3", x, 256, 8);
    const ZooValue medium = stage(net, "stage4", fine, 512, 8);
    x = stage(net, "stage5", medium, 1024, 4);

    const ZooValue pooled = pyramid(net, bottlenecks(net, "pyramid.before", x, 512, 3));
    const ZooValue coarse = bottlenecks(net, "pyramid.after", pooled, 512, 3);
    const ZooValue up16 = up(net, "up16", coarse, medium, 256);
    const ZooValue up8 = up(net, "up8", up16, fine, 128);
    head(net, "head8", up8);
    const ZooValue down16 = down(net, "down16", up8, up16, 256);
    head(net, "head16", down16);
    head(net, "head32", down(net, "down32", down16, coarse, 512));
}

}  // namespace

const Network &zoo_yolo_v4() {
    static const Network network = {
        {"yolo_v4", "YOLO-V4, 416x416, three raw heads, batch norms as separate nodes (258 MB)",
         64'363'101},
        build_yolo_v4};
    return network;
}

}  // namespace emulsion
