// Writes networks as ONNX graphs, one call per layer, with random weights that keep activations in a
// moderate range. Used by the networks of the zoo.
//
// Every value carries estimates of the mean and variance of its elements for inputs of mean 0 and
// variance 1. Layers with weights draw them so that their results have mean 0 and variance 1: the
// filters are centred, that is, they sum to zero over the input channels. So the mean that a ReLU
// leaves is not passed on. Without that (He's initialisation alone) the results of deep networks
// depend less and less on the input, and a wrong layer would hardly show at the end.
//
// The other danger of deep networks is that rounding errors grow. Where f is applied to a normal x,
// small errors grow, relative to the standard deviation, by the square root of
//     variance(x) E[f'(x)^2] / variance(f(x))
// per layer: 1.21 for a ReLU of mean 0, 1.03 to 1.05 for SiLU, Mish and LeakyRelu of mean 1 and
// variance 1. So deep networks shift the operands of their activations by 1.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <string>
#include <vector>

#include "frontend/zoo/zoo.h"

namespace emulsion {

// A value of the network under construction: NCHW, NC after flatten, or rows of features.
struct ZooValue {
    std::string name;
    std::vector<int64_t> shape;
    double mean = 0.0;
    double variance = 1.0;  // around the mean of its part
    // Channels of each part of a concatenation: their means differ.
    std::vector<int64_t> parts = {};
};

struct ConvOptions {
    int64_t channels = 0;  // of the result
    int64_t kernel = 3;
    int64_t stride = 1;
    int64_t padding = 1;  // on every side
    int64_t group = 1;
    bool bias = true;
    double gain = 1.0;   // the standard deviation of the result
    double shift = 0.0;  // the mean of the result
};

struct BatchNormOptions {
    double gain = 1.0;    // the standard deviation of the result
    double shift = 0.0;   // the mean of the result, in units of the gain
    double spread = 0.1;  // how much channels differ in their means, in units of the gain
    double epsilon = 1e-5;
};

struct LinearOptions {
    int64_t features = 0;  // of the result
    double gain = 1.0;     // the standard deviation of the result
    double shift = 0.0;    // its mean
};

struct PoolOptions {
    int64_t kernel = 2;
    int64_t stride = 2;
    int64_t padding = 0;  // on every side
};

class NetworkBuilder {
public:
    NetworkBuilder(const std::string &name, const ZooOptions &options);

    // Images of three channels, as many and as large as was asked for, else one of `size`. Throws Error
    // unless height and width are multiples of `multiple`.
    ZooValue images(const std::string &name, int64_t size, int64_t multiple = 1);
    // Anything else; throws Error if images were asked for.
    ZooValue input(const std::string &name, const std::vector<int64_t> &shape);
    void output(const ZooValue &x);

    // Layers with weights; `name` is the node's name and that of its result.
    ZooValue conv(const std::string &name, const ZooValue &x, const ConvOptions &options);
    ZooValue batch_norm(const std::string &name, const ZooValue &x,
                        const BatchNormOptions &options = {});
    ZooValue layer_norm(const std::string &name, const ZooValue &x);  // over the last axis
    // x W^T + b with `features` results.
    ZooValue gemm(const std::string &name, const ZooValue &x, int64_t features);
    // x W + b as MatMul and Add, over the last axis.
    ZooValue linear(const std::string &name, const ZooValue &x, const LinearOptions &options);

    // Activations. Those with a fixed mean and variance expect a value of mean 1 and variance 1.
    ZooValue relu(const std::string &name, const ZooValue &x);
    ZooValue relu6(const std::string &name, const ZooValue &x);       // Clip(x, 0, 6)
    ZooValue leaky_relu(const std::string &name, const ZooValue &x);  // slope 0.1
    ZooValue silu(const std::string &name, const ZooValue &x);        // x Sigmoid(x): two nodes
    ZooValue mish(const std::string &name, const ZooValue &x);  // x Tanh(Softplus(x)): three nodes
    ZooValue gelu(const std::string &name, const ZooValue &x);
    ZooValue sigmoid(const std::string &name, const ZooValue &x);  // of mean 0
    ZooValue softmax(const std::string &name, const ZooValue &x);  // over the last axis

    // Other layers without weights.
    ZooValue max_pool(const std::string &name, const ZooValue &x, const PoolOptions &options = {});
    ZooValue global_average_pool(const std::string &name, const ZooValue &x);
    ZooValue flatten(const std::string &name, const ZooValue &x);
    ZooValue add(const std::string &name, const ZooValue &a, const ZooValue &b);
    // x times a gate between 0 and 1 for each of its channels.
    ZooValue gate(const std::string &name, const ZooValue &x, const ZooValue &gates);
    ZooValue scale(const std::string &name, const ZooValue &x, float factor);
    // Channels one after the other.
    ZooValue concat(const std::string &name, const std::vector<ZooValue> &values);
    ZooValue upsample(const std::string &name, const ZooValue &x);  // every pixel four times
    ZooValue reshape(const std::string &name, const ZooValue &x, const std::vector<int64_t> &shape);
    ZooValue transpose(const std::string &name, const ZooValue &x,
                       const std::vector<int64_t> &order);
    // The product of two values, the second of mean 0.
    ZooValue mat_mul(const std::string &name, const ZooValue &a, const ZooValue &b);

    // Weights so far, without running statistics.
    int64_t parameters() const { return parameters_; }
    // The model; the builder is empty afterwards.
    onnx::ModelProto finish();

private:
    onnx::NodeProto &node(const std::string &type, const std::string &name,
                          const std::vector<std::string> &inputs);
    onnx::TensorProto &initializer(const std::string &name, const std::vector<int64_t> &shape);
    float *tensor(const std::string &name, const std::vector<int64_t> &shape);
    // Filters [results, channels, ...] for x, centred and scaled: results of standard deviation `gain`.
    std::string weights(const std::string &name, const std::vector<int64_t> &shape,
                        const ZooValue &x, double gain = 1.0);
    std::string bias(const std::string &name, int64_t count, double gain = 1.0, double shift = 0.0);
    std::string scalar(const std::string &name, float value);

    ZooValue declared(const std::string &name, const std::vector<int64_t> &shape);

    onnx::ModelProto model_;
    ZooOptions options_;
    int64_t parameters_ = 0;
};

}  // namespace emulsion
