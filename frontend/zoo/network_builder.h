// Writes networks as ONNX graphs, one call per layer, with random weights that keep activations in a
// moderate range. Used by the networks of the zoo.
//
// Every value carries estimates of the mean and variance of its elements for inputs of mean 0 and
// variance 1. Layers with weights draw them so that their results have mean 0 and variance 1: the
// filters are centred, that is, they sum to zero over the input channels. So the mean that a ReLU
// leaves is not passed on. Without that (He's initialisation alone) the results of deep networks
// depend less and less on the input, and a wrong layer would hardly show at the end.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <string>
#include <vector>

namespace emulsion {

// A value of the network under construction: NCHW, or NC after flatten.
struct ZooValue {
    std::string name;
    std::vector<int64_t> shape;
    double mean = 0.0;
    double variance = 1.0;
};

struct ConvOptions {
    int64_t channels = 0;  // of the result
    int64_t kernel = 3;
    int64_t stride = 1;
    int64_t padding = 1;  // on every side
    int64_t group = 1;
    bool bias = true;
};

class NetworkBuilder {
public:
    NetworkBuilder(const std::string &name, uint64_t seed);

    // Layers; `name` is the node's name and that of its result.
    ZooValue input(const std::string &name, const std::vector<int64_t> &shape);
    ZooValue conv(const std::string &name, const ZooValue &x, const ConvOptions &options);
    // `gain` is the standard deviation of the result.
    ZooValue batch_norm(const std::string &name, const ZooValue &x, double gain = 1.0);
    ZooValue relu(const std::string &name, const ZooValue &x);
    ZooValue relu6(const std::string &name, const ZooValue &x);     // Clip(x, 0, 6)
    ZooValue max_pool(const std::string &name, const ZooValue &x);  // 2x2, stride 2
    ZooValue global_average_pool(const std::string &name, const ZooValue &x);
    ZooValue flatten(const std::string &name, const ZooValue &x);
    ZooValue add(const std::string &name, const ZooValue &a, const ZooValue &b);
    // x W^T + b with `features` results.
    ZooValue gemm(const std::string &name, const ZooValue &x, int64_t features);
    void output(const ZooValue &x);

    // Weights so far, without running statistics of batch norms.
    int64_t parameters() const { return parameters_; }
    // The model; the builder is empty afterwards.
    onnx::ModelProto finish();

private:
    onnx::NodeProto &node(const std::string &type, const std::string &name,
                          const std::vector<std::string> &inputs);
    float *tensor(const std::string &name, const std::vector<int64_t> &shape);
    std::string weights(const std::string &name, const std::vector<int64_t> &shape,
                        const ZooValue &x);
    std::string bias(const std::string &name, int64_t count);
    std::string scalar(const std::string &name, float value);

    onnx::ModelProto model_;
    uint64_t seed_;
    int64_t parameters_ = 0;
};

}  // namespace emulsion
