#include "frontend/zoo/network_builder.h"

#include <cassert>
#include <cmath>
#include <utility>

#include "frontend/onnx/loader.h"
#include "frontend/zoo/attributes.h"
#include "frontend/zoo/random.h"
#include "fusion/error.h"

namespace emulsion {

namespace {

constexpr int64_t kIrVersion = 10;  // the file format that came with opset 22
constexpr double kBiasDeviation = 0.1;
constexpr int64_t kMostParameters = int64_t{1} << 29;  // a protobuf message has at most 2 GiB

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

NetworkBuilder::NetworkBuilder(const std::string &name, const ZooOptions &options)
    : options_(options) {
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

onnx::TensorProto &NetworkBuilder::initializer(const std::string &name,
                                               const std::vector<int64_t> &shape) {
    onnx::TensorProto &tensor = *model_.mutable_graph()->add_initializer();
    tensor.set_name(name);
    for (const int64_t extent : shape) {
        tensor.add_dims(extent);
    }
    return tensor;
}

float *NetworkBuilder::tensor(const std::string &name, const std::vector<int64_t> &shape) {
    if (product(shape) > kMostParameters - parameters_) {
        throw Error("with images of this size, network '" + model_.graph().name() +
                    "' has more than 2 GiB of parameters, and a file of ONNX can't hold more");
    }
    onnx::TensorProto &tensor = initializer(name, shape);
    tensor.set_data_type(onnx::TensorProto::FLOAT);
    tensor.mutable_raw_data()->resize(static_cast<size_t>(product(shape)) * sizeof(float));
    return reinterpret_cast<float *>(tensor.mutable_raw_data()->data());
}

// With w of mean 0 and variance s^2, centred over n values, x of variance v and f products in a sum:
// variance of the result = f s^2 (1 - 1/n) v = gain^2.
std::string NetworkBuilder::weights(const std::string &name, const std::vector<int64_t> &shape,
                                    const ZooValue &x, double gain) {
    const int64_t results = shape[0];
    const int64_t channels = shape[1];
    const int64_t taps = product(shape) / results / channels;
    float *values = tensor(name, shape);
    parameters_ += product(shape);

    // A depthwise filter has one channel to sum over: it is centred over its taps.
    const bool over_channels = channels > 1;
    const bool centred = x.mean != 0.0 && channels * taps > 1;
    const std::vector<int64_t> parts =
        x.parts.empty() || !over_channels ? std::vector{channels} : x.parts;
    const auto summed = static_cast<double>(over_channels ? channels : taps);
    const double kept = centred ? 1.0 - static_cast<double>(parts.size()) / summed : 1.0;
    const auto deviation = static_cast<float>(
        gain / std::sqrt(static_cast<double>(channels * taps) * kept * x.variance));

    PortableRandom random(options_.seed, name);
    for (int64_t i = 0; i < product(shape); ++i) {
        values[i] = deviation * random.normal();
    }
    for (int64_t r = 0; centred && r < results; ++r) {
        float *filter = values + r * channels * taps;
        if (!over_channels) {
            centre(filter, taps, 1);
            continue;
        }
        for (const int64_t part : parts) {
            for (int64_t tap = 0; tap < taps; ++tap) {
                centre(filter + tap, part, taps);
            }
            filter += part * taps;
        }
    }
    return name;
}

std::string NetworkBuilder::bias(const std::string &name, int64_t count, double gain,
                                 double shift) {
    float *values = tensor(name, {count});
    parameters_ += count;
    const auto deviation = static_cast<float>(kBiasDeviation * gain);
    PortableRandom random(options_.seed, name);
    for (int64_t i = 0; i < count; ++i) {
        values[i] = static_cast<float>(shift) + deviation * random.normal();
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

ZooValue NetworkBuilder::images(const std::string &name, int64_t size, int64_t multiple) {
    const int64_t asked = options_.image_size > 0 ? options_.image_size : size;
    if (asked % multiple != 0) {
        throw Error("network '" + model_.graph().name() +
                    "' needs images whose size is a multiple of " + std::to_string(multiple) +
                    ", not " + std::to_string(asked));
    }
    return declared(name, {options_.batch, 3, asked, asked});
}

ZooValue NetworkBuilder::input(const std::string &name, const std::vector<int64_t> &shape) {
    if (options_.batch != 1 || options_.image_size != 0) {
        throw Error("network '" + model_.graph().name() +
                    "' has no images whose number or size could be chosen");
    }
    return declared(name, shape);
}

ZooValue NetworkBuilder::declared(const std::string &name, const std::vector<int64_t> &shape) {
    const ZooValue value = {name, shape, 0.0, 1.0};
    declare(*model_.mutable_graph()->add_input(), value);
    return value;
}

void NetworkBuilder::output(const ZooValue &x) {
    declare(*model_.mutable_graph()->add_output(), x);
}

ZooValue NetworkBuilder::conv(const std::string &name, const ZooValue &x,
                              const ConvOptions &options) {
    const int64_t depth = x.shape[1] / options.group;
    assert(depth * options.group == x.shape[1]);
    std::vector<std::string> inputs = {
        x.name, weights(name + ".weight", {options.channels, depth, options.kernel, options.kernel},
                        x, options.gain)};
    if (options.bias) {
        inputs.push_back(bias(name + ".bias", options.channels, options.gain, options.shift));
    }
    onnx::NodeProto &conv = node("Conv", name, inputs);
    set_integers(conv, "kernel_shape", 2, options.kernel);
    set_integers(conv, "strides", 2, options.stride);
    set_integers(conv, "pads", 4, options.padding);
    set_integer(conv, "group", options.group);
    const auto extent = [&](int64_t from) {
        return (from + 2 * options.padding - options.kernel) / options.stride + 1;
    };
    return {name,
            {x.shape[0], options.channels, extent(x.shape[2]), extent(x.shape[3])},
            options.shift,
            options.gain * options.gain};
}

// The running statistics are those of x, give or take a quarter: then it matters that each channel
// uses its own.
ZooValue NetworkBuilder::batch_norm(const std::string &name, const ZooValue &x,
                                    const BatchNormOptions &options) {
    const int64_t channels = x.shape[1];
    const std::vector<std::string> names = {name + ".scale", name + ".bias", name + ".mean",
                                            name + ".variance"};
    const auto deviation = static_cast<float>(std::sqrt(x.variance));
    const auto gain = static_cast<float>(options.gain);
    const auto shift = static_cast<float>(options.shift);
    PortableRandom random(options_.seed, name);
    for (int which = 0; which < 4; ++which) {
        float *values = tensor(names[static_cast<size_t>(which)], {channels});
        for (int64_t c = 0; c < channels; ++c) {
            const float spread = random.uniform(0.75F, 1.25F);
            const float small = static_cast<float>(options.spread) * random.normal();
            values[c] = which == 0   ? gain * spread
                        : which == 1 ? gain * (shift + small)
                        : which == 2 ? static_cast<float>(x.mean) + deviation * small
                                     : deviation * deviation * spread;
        }
    }
    parameters_ += 2 * channels;
    onnx::NodeProto &norm =
        node("BatchNormalization", name, {x.name, names[0], names[1], names[2], names[3]});
    if (options.epsilon != BatchNormOptions().epsilon) {
        set_float(norm, "epsilon", static_cast<float>(options.epsilon));
    }
    return {name, x.shape, options.gain * options.shift, options.gain * options.gain};
}

ZooValue NetworkBuilder::layer_norm(const std::string &name, const ZooValue &x) {
    const int64_t features = x.shape.back();
    const std::string factors = name + ".scale";
    float *values = tensor(factors, {features});
    parameters_ += features;
    PortableRandom random(options_.seed, factors);
    for (int64_t i = 0; i < features; ++i) {
        values[i] = random.uniform(0.75F, 1.25F);
    }
    set_integer(node("LayerNormalization", name, {x.name, factors, bias(name + ".bias", features)}),
                "axis", -1);
    return {name, x.shape, 0.0, 1.0};
}

ZooValue NetworkBuilder::gemm(const std::string &name, const ZooValue &x, int64_t features) {
    const std::string w = weights(name + ".weight", {features, x.shape[1]}, x);
    const std::string b = bias(name + ".bias", features);
    set_integer(node("Gemm", name, {x.name, w, b}), "transB", 1);
    return {name, {x.shape[0], features}, 0.0, 1.0};
}

ZooValue NetworkBuilder::linear(const std::string &name, const ZooValue &x,
                                const LinearOptions &options) {
    const int64_t rows = x.shape.back();
    const int64_t columns = options.features;
    const std::string w = weights(name + ".weight", {columns, rows}, x, options.gain);
    // Drawn one filter after the other, stored one feature of x after the other.
    onnx::TensorProto &matrix = *model_.mutable_graph()->mutable_initializer()->rbegin();
    auto *values = reinterpret_cast<float *>(matrix.mutable_raw_data()->data());
    const std::vector<float> filters(values, values + rows * columns);
    matrix.set_dims(0, rows);
    matrix.set_dims(1, columns);
    for (int64_t i = 0; i < rows * columns; ++i) {
        values[i] = filters[static_cast<size_t>(i % columns * rows + i / columns)];
    }
    node("MatMul", name + ".product", {x.name, w});
    node("Add", name,
         {name + ".product", bias(name + ".bias", columns, options.gain, options.shift)});
    std::vector<int64_t> shape = x.shape;
    shape.back() = columns;
    return {name, shape, options.shift, options.gain * options.gain};
}

onnx::ModelProto NetworkBuilder::finish() { return std::move(model_); }

}  // namespace emulsion
