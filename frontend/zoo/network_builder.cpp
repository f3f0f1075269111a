#include "frontend/zoo/network_builder.h"

#include <cassert>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>
#include <utility>

#include "frontend/onnx/loader.h"
#include "frontend/zoo/random.h"

namespace emulsion {

namespace {

constexpr int64_t kIrVersion = 10;  // the file format that came with opset 22
constexpr double kBiasDeviation = 0.1;

int64_t product(const std::vector<int64_t> &shape) {
    return std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>());
}

void set_integer(onnx::NodeProto &node, const std::string &name, int64_t value) {
    onnx::AttributeProto &attribute = *node.add_attribute();
    attribute.set_name(name);
    attribute.set_type(onnx::AttributeProto::INT);
    attribute.set_i(value);
}

void set_integers(onnx::NodeProto &node, const std::string &name, int count, int64_t value) {
    onnx::AttributeProto &attribute = *node.add_attribute();
    attribute.set_name(name);
    attribute.set_type(onnx::AttributeProto::INTS);
    for (int i = 0; i < count; ++i) {
        attribute.add_ints(value);
    }
}

void declare(onnx::ValueInfoProto &info, const ZooValue &value) {
    info.set_name(value.name);
    onnx::TypeProto::Tensor &type = *info.mutable_type()->mutable_tensor_type();
    type.set_elem_type(onnx::TensorProto::FLOAT);
    for (const int64_t extent : value.shape) {
        type.mutable_shape()->add_dim()->set_dim_value(extent);
    }
}

// Subtracts from `count` values, `step` apart, their mean.
void centre(float *values, int64_t count, int64_t step) {
    double sum = 0.0;
    for (int64_t i = 0; i < count; ++i) {
        sum += values[i * step];
    }
    const auto mean = static_cast<float>(sum / static_cast<double>(count));
    for (int64_t i = 0; i < count; ++i) {
        values[i * step] -= mean;
    }
}

}  // namespace

NetworkBuilder::NetworkBuilder(const std::string &name, uint64_t seed) : seed_(seed) {
    model_.set_ir_version(kIrVersion);
    model_.set_producer_name("emulsion zoo");
    model_.add_opset_import()->set_version(kOpset);
    model_.mutable_graph()->set_name(name);
}

onnx::NodeProto &NetworkBuilder::node(const std::string &type, const std::string &name,
                                      const std::vector<std::string> &inputs) {
    onnx::NodeProto &node = *model_.mutable_graph()->add_node();
    node.set_op_type(type);
    node.set_name(name);
    for (const std::string &input : inputs) {
        node.add_input(input);
    }
    node.add_output(name);
    return node;
}

float *NetworkBuilder::tensor(const std::string &name, const std::vector<int64_t> &shape) {
    onnx::TensorProto &tensor = *model_.mutable_graph()->add_initializer();
    tensor.set_name(name);
    tensor.set_data_type(onnx::TensorProto::FLOAT);
    for (const int64_t extent : shape) {
        tensor.add_dims(extent);
    }
    tensor.mutable_raw_data()->resize(static_cast<size_t>(product(shape)) * sizeof(float));
    return reinterpret_cast<float *>(tensor.mutable_raw_data()->data());
}

// With w of mean 0 and variance s^2, centred over n values, x of variance v and f products in a sum:
// variance of the result = f s^2 (1 - 1/n) v = 1.
std::string NetworkBuilder::weights(const std::string &name, const std::vector<int64_t> &shape,
                                    const ZooValue &x) {
    const int64_t results = shape[0];
    const int64_t channels = shape[1];
    const int64_t taps = product(shape) / results / channels;
    float *values = tensor(name, shape);
    parameters_ += product(shape);

    // A depthwise filter has one channel to sum over: it is centred over its taps.
    const bool over_channels = channels > 1;
    const bool centred = x.mean != 0.0 && channels * taps > 1;
    const auto summed = static_cast<double>(over_channels ? channels : taps);
    const double kept = centred ? 1.0 - 1.0 / summed : 1.0;
    const auto deviation = static_cast<float>(
        1.0 / std::sqrt(static_cast<double>(channels * taps) * kept * x.variance));

    Random random(seed_, name);
    for (int64_t i = 0; i < product(shape); ++i) {
        values[i] = deviation * random.normal();
    }
    for (int64_t r = 0; centred && r < results; ++r) {
        float *filter = values + r * channels * taps;
        for (int64_t tap = 0; over_channels && tap < taps; ++tap) {
            centre(filter + tap, channels, taps);
        }
        if (!over_channels) {
            centre(filter, taps, 1);
        }
    }
    return name;
}

std::string NetworkBuilder::bias(const std::string &name, int64_t count) {
    float *values = tensor(name, {count});
    parameters_ += count;
    Random random(seed_, name);
    for (int64_t i = 0; i < count; ++i) {
        values[i] = static_cast<float>(kBiasDeviation) * random.normal();
    }
    return name;
}

std::string NetworkBuilder::scalar(const std::string &name, float value) {
    for (const onnx::TensorProto &known : model_.graph().initializer()) {
        if (known.name() == name) {
            return name;
        }
    }
    *tensor(name, {}) = value;
    return name;
}

ZooValue NetworkBuilder::input(const std::string &name, const std::vector<int64_t> &shape) {
    const ZooValue value = {name, shape, 0.0, 1.0};
    declare(*model_.mutable_graph()->add_input(), value);
    return value;
}

ZooValue NetworkBuilder::conv(const std::string &name, const ZooValue &x,
                              const ConvOptions &options) {
    const int64_t depth = x.shape[1] / options.group;
    assert(depth * options.group == x.shape[1]);
    std::vector<std::string> inputs = {
        x.name,
        weights(name + ".weight", {options.channels, depth, options.kernel, options.kernel}, x)};
    if (options.bias) {
        inputs.push_back(bias(name + ".bias", options.channels));
    }
    onnx::NodeProto &conv = node("Conv", name, inputs);
    set_integers(conv, "kernel_shape", 2, options.kernel);
    set_integers(conv, "strides", 2, options.stride);
    set_integers(conv, "pads", 4, options.padding);
    set_integer(conv, "group", options.group);
    const auto extent = [&](int64_t from) {
        return (from + 2 * options.padding - options.kernel) / options.stride + 1;
    };
    return {name, {x.shape[0], options.channels, extent(x.shape[2]), extent(x.shape[3])}, 0.0, 1.0};
}

// The running statistics are those of x, give or take a quarter: then it matters that each channel
// uses its own.
ZooValue NetworkBuilder::batch_norm(const std::string &name, const ZooValue &x, double gain) {
    const int64_t channels = x.shape[1];
    const std::vector<std::string> names = {name + ".scale", name + ".bias", name + ".mean",
                                            name + ".variance"};
    const auto deviation = static_cast<float>(std::sqrt(x.variance));
    Random random(seed_, name);
    for (int which = 0; which < 4; ++which) {
        float *values = tensor(names[static_cast<size_t>(which)], {channels});
        for (int64_t c = 0; c < channels; ++c) {
            const float spread = random.uniform(0.75F, 1.25F);
            const float small = static_cast<float>(kBiasDeviation) * random.normal();
            values[c] = which == 0   ? static_cast<float>(gain) * spread
                        : which == 1 ? static_cast<float>(gain) * small
                        : which == 2 ? static_cast<float>(x.mean) + deviation * small
                                     : deviation * deviation * spread;
        }
    }
    parameters_ += 2 * channels;
    node("BatchNormalization", name, {x.name, names[0], names[1], names[2], names[3]});
    return {name, x.shape, 0.0, gain * gain};
}

// max(x, 0) of a normal x of variance v: mean sqrt(v / 2 pi), variance v (1/2 - 1/(2 pi)).
ZooValue NetworkBuilder::relu(const std::string &name, const ZooValue &x) {
    constexpr double kMeanSquared = 0.5 / std::numbers::pi;
    node("Relu", name, {x.name});
    return {name, x.shape, std::sqrt(x.variance * kMeanSquared), x.variance * (0.5 - kMeanSquared)};
}

// As relu: for a standard deviation near 1, 6 is hardly ever reached.
ZooValue NetworkBuilder::relu6(const std::string &name, const ZooValue &x) {
    ZooValue result = relu(name, x);
    onnx::NodeProto &clip = *model_.mutable_graph()->mutable_node(model_.graph().node_size() - 1);
    clip.set_op_type("Clip");
    clip.add_input(scalar("zero", 0.0F));
    clip.add_input(scalar("six", 6.0F));
    return result;
}

// The largest of four independent normal values has mean 1.03 and variance 0.49 (in units of theirs);
// a ReLU before the pool hardly changes that.
ZooValue NetworkBuilder::max_pool(const std::string &name, const ZooValue &x) {
    onnx::NodeProto &pool = node("MaxPool", name, {x.name});
    set_integers(pool, "kernel_shape", 2, 2);
    set_integers(pool, "strides", 2, 2);
    const double before = x.variance / (0.5 - 0.5 / std::numbers::pi);
    return {name,
            {x.shape[0], x.shape[1], x.shape[2] / 2, x.shape[3] / 2},
            1.03 * std::sqrt(before),
            0.49 * before};
}

// The mean over a plane loses what is independent from place to place. What stays is how channels
// differ in their means, by their biases and by the borders of the image: about an eighth of the
// variance, measured on the networks of the zoo.
ZooValue NetworkBuilder::global_average_pool(const std::string &name, const ZooValue &x) {
    node("GlobalAveragePool", name, {x.name});
    const auto plane = static_cast<double>(x.shape[2] * x.shape[3]);
    return {name, {x.shape[0], x.shape[1], 1, 1}, x.mean, x.variance * (0.125 + 1.0 / plane)};
}

ZooValue NetworkBuilder::flatten(const std::string &name, const ZooValue &x) {
    set_integer(node("Flatten", name, {x.name}), "axis", 1);
    return {name, {x.shape[0], product(x.shape) / x.shape[0]}, x.mean, x.variance};
}

ZooValue NetworkBuilder::add(const std::string &name, const ZooValue &a, const ZooValue &b) {
    node("Add", name, {a.name, b.name});
    return {name, a.shape, a.mean + b.mean, a.variance + b.variance};
}

ZooValue NetworkBuilder::gemm(const std::string &name, const ZooValue &x, int64_t features) {
    const std::string w = weights(name + ".weight", {features, x.shape[1]}, x);
    const std::string b = bias(name + ".bias", features);
    set_integer(node("Gemm", name, {x.name, w, b}), "transB", 1);
    return {name, {x.shape[0], features}, 0.0, 1.0};
}

void NetworkBuilder::output(const ZooValue &x) {
    declare(*model_.mutable_graph()->add_output(), x);
}

onnx::ModelProto NetworkBuilder::finish() { return std::move(model_); }

}  // namespace emulsion
