// The layers without weights of NetworkBuilder.
#include <array>
#include <cassert>
#include <cmath>
#include <numbers>

#include "frontend/zoo/attributes.h"
#include "frontend/zoo/network_builder.h"

namespace emulsion {

namespace {

// Mean and variance of f(x) for a normal x of mean 1 and variance 1, by numerical integration.
struct Moments {
    double mean;
    double variance;
};

constexpr Moments kSilu = {0.875, 0.716};
constexpr Moments kMish = {0.978, 0.818};
constexpr Moments kGelu = {0.980, 0.807};
constexpr Moments kLeakyRelu = {1.075, 0.770};
// Of mean 0 and variance 1.
constexpr Moments kSigmoid = {0.5, 0.043};

ZooValue shaped(const std::string &name, const ZooValue &x, const Moments &moments) {
    return {name, x.shape, moments.mean, moments.variance};
}

}  // namespace

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

ZooValue NetworkBuilder::leaky_relu(const std::string &name, const ZooValue &x) {
    set_float(node("LeakyRelu", name, {x.name}), "alpha", 0.1F);
    return shaped(name, x, kLeakyRelu);
}

ZooValue NetworkBuilder::silu(const std::string &name, const ZooValue &x) {
    node("Sigmoid", name + ".sigmoid", {x.name});
    node("Mul", name, {x.name, name + ".sigmoid"});
    return shaped(name, x, kSilu);
}

ZooValue NetworkBuilder::mish(const std::string &name, const ZooValue &x) {
    node("Softplus", name + ".softplus", {x.name});
    node("Tanh", name + ".tanh", {name + ".softplus"});
    node("Mul", name, {x.name, name + ".tanh"});
    return shaped(name, x, kMish);
}

ZooValue NetworkBuilder::gelu(const std::string &name, const ZooValue &x) {
    node("Gelu", name, {x.name});
    return shaped(name, x, kGelu);
}

ZooValue NetworkBuilder::sigmoid(const std::string &name, const ZooValue &x) {
    node("Sigmoid", name, {x.name});
    return shaped(name, x, kSigmoid);
}

// The sum of the squares of a row, measured for 16 operands of standard deviation 2, is 0.3.
ZooValue NetworkBuilder::softmax(const std::string &name, const ZooValue &x) {
    constexpr double kSumOfSquares = 0.3;
    set_integer(node("Softmax", name, {x.name}), "axis", -1);
    const double mean = 1.0 / static_cast<double>(x.shape.back());
    return {name, x.shape, mean, (kSumOfSquares - mean) * mean};
}

// The largest of n independent normal values (in units of theirs): mean 1.03 and variance 0.49 for 4,
// 1.97 and 0.26 for 25, 2.42 and 0.18 for 81; a ReLU before the pool hardly changes that.
ZooValue NetworkBuilder::max_pool(const std::string &name, const ZooValue &x,
                                  const PoolOptions &options) {
    onnx::NodeProto &pool = node("MaxPool", name, {x.name});
    set_integers(pool, "kernel_shape", 2, options.kernel);
    set_integers(pool, "strides", 2, options.stride);
    if (options.padding > 0) {
        set_integers(pool, "pads", 4, options.padding);
    }
    const auto extent = [&](int64_t from) {
        return (from + 2 * options.padding - options.kernel) / options.stride + 1;
    };
    const std::vector<int64_t> shape = {x.shape[0], x.shape[1], extent(x.shape[2]),
                                        extent(x.shape[3])};
    if (options.kernel == 2) {
        const double before = x.variance / (0.5 - 0.5 / std::numbers::pi);
        return {name, shape, 1.03 * std::sqrt(before), 0.49 * before};
    }
    return {name, shape, x.mean + 2.0 * std::sqrt(x.variance), 0.2 * x.variance};
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

// The product of independent values: mean m n, variance v (w + n^2) + m^2 w.
ZooValue NetworkBuilder::gate(const std::string &name, const ZooValue &x, const ZooValue &gates) {
    node("Mul", name, {gates.name, x.name});
    return {name, x.shape, x.mean * gates.mean,
            x.variance * (gates.variance + gates.mean * gates.mean) +
                x.mean * x.mean * gates.variance};
}

ZooValue NetworkBuilder::scale(const std::string &name, const ZooValue &x, float factor) {
    node("Mul", name, {x.name, scalar(name + ".factor", factor)});
    return {name, x.shape, x.mean * factor, x.variance * factor * factor};
}

ZooValue NetworkBuilder::concat(const std::string &name, const std::vector<ZooValue> &values) {
    std::vector<std::string> names;
    ZooValue result = {name, values.front().shape, 0.0, 0.0};
    result.shape[1] = 0;
    for (const ZooValue &value : values) {
        names.push_back(value.name);
        const int64_t channels = value.shape[1];
        result.shape[1] += channels;
        result.mean += static_cast<double>(channels) * value.mean;
        result.variance += static_cast<double>(channels) * value.variance;
        if (value.parts.empty()) {
            result.parts.push_back(channels);
        }
        result.parts.insert(result.parts.end(), value.parts.begin(), value.parts.end());
    }
    result.mean /= static_cast<double>(result.shape[1]);
    result.variance /= static_cast<double>(result.shape[1]);
    set_integer(node("Concat", name, names), "axis", 1);
    return result;
}

ZooValue NetworkBuilder::upsample(const std::string &name, const ZooValue &x) {
    constexpr std::array<float, 4> kFactors = {1.0F, 1.0F, 2.0F, 2.0F};
    const std::string factors = name + ".scales";
    std::copy(kFactors.begin(), kFactors.end(), tensor(factors, {4}));
    onnx::NodeProto &resize = node("Resize", name, {x.name, "", factors});
    set_string(resize, "coordinate_transformation_mode", "asymmetric");
    set_string(resize, "mode", "nearest");
    set_string(resize, "nearest_mode", "floor");
    ZooValue result = x;
    result.name = name;
    result.shape[2] *= 2;
    result.shape[3] *= 2;
    return result;
}

ZooValue NetworkBuilder::reshape(const std::string &name, const ZooValue &x,
                                 const std::vector<int64_t> &shape) {
    assert(product(shape) == product(x.shape));
    onnx::TensorProto &extents = initializer(name + ".shape", {std::ssize(shape)});
    extents.set_data_type(onnx::TensorProto::INT64);
    extents.mutable_int64_data()->Add(shape.begin(), shape.end());
    node("Reshape", name, {x.name, name + ".shape"});
    return {name, shape, x.mean, x.variance};
}

ZooValue NetworkBuilder::transpose(const std::string &name, const ZooValue &x,
                                   const std::vector<int64_t> &order) {
    onnx::AttributeProto &axes =
        add_attribute(node("Transpose", name, {x.name}), "perm", onnx::AttributeProto::INTS);
    std::vector<int64_t> shape;
    for (const int64_t axis : order) {
        axes.add_ints(axis);
        shape.push_back(x.shape[static_cast<size_t>(axis)]);
    }
    return {name, shape, x.mean, x.variance};
}

// Sums of n products of independent values, b of mean 0: variance n (v + m^2) w.
ZooValue NetworkBuilder::mat_mul(const std::string &name, const ZooValue &a, const ZooValue &b) {
    node("MatMul", name, {a.name, b.name});
    std::vector<int64_t> shape = a.shape;
    shape.back() = b.shape.back();
    const auto summed = static_cast<double>(a.shape.back());
    return {name, shape, 0.0, summed * (a.variance + a.mean * a.mean) * b.variance};
}

}  // namespace emulsion
