// Fold batch norms into the linear operator before them. With s = scale / sqrt(var + epsilon):
//
//     y = s * (Conv(x, W, B) - mean) + bias
//       = Conv(x, s W, s (B - mean) + bias)                 s along W's output channels
//     y = s * (alpha x W + beta C - mean) + bias
//       = alpha x (s W) + 1 * (s (beta C - mean) + bias)    s along W's columns
//
// A ConvTranspose is like a Conv, but its weights have the output channels of a group along axis 1, and
// the input channels of all groups along axis 0.
//
// A product or sum with one number per channel is a batch norm with s or the rest alone; tf2onnx writes
// batch norms after depthwise convolutions as one of each. All this
// when everything but x is constant and nothing else reads the value between. The linear operator
// then makes the batch norm's output, under the batch norm's name, so that values at the borders of
// groups keep their ONNX names. Where no fold is possible the batch norm stays.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "frontend/graph/output_flags.h"
#include "frontend/graph/pass.h"

namespace emulsion {

namespace {

// Every fold makes its operator's weights anew, and those of a shared operand for each that reads it.
constexpr int64_t kMostFoldedBytes = int64_t{4} << 30;

// A batch norm, product or sum as y = scale * x + shift, per channel.
struct Affine {
    std::vector<double> scale;
    std::vector<double> shift;
};

std::vector<double> reals(const Tensor &tensor) {
    const auto count = static_cast<size_t>(tensor.element_count());
    if (tensor.type == DataType::F64) {
        const double *values = tensor.constant->as<double>();
        return {values, values + count};
    }
    const float *values = tensor.constant->as<float>();
    return {values, values + count};
}

ConstantData constant_of(const std::vector<double> &values, DataType type) {
    std::vector<std::byte> bytes(values.size() * static_cast<size_t>(size_of(type)));
    for (size_t i = 0; i < values.size(); ++i) {
        if (type == DataType::F64) {
            reinterpret_cast<double *>(bytes.data())[i] = values[i];
        } else {
            reinterpret_cast<float *>(bytes.data())[i] = static_cast<float>(values[i]);
        }
    }
    return make_constant(std::move(bytes));
}

bool is_real_constant(const Graph &graph, TensorId id) {
    return id != kNoTensor && graph.tensor(id).is_constant() && is_float(graph.tensor(id).type);
}

constexpr size_t kChannelAxis = 1;  // of what linear operators compute

// One value per channel from a constant that is broadcast to `shape`; nothing if it varies along
// another axis or makes the shape larger.
std::optional<std::vector<double>> broadcast_to_channels(const Tensor &constant,
                                                         const std::vector<Dim> &shape) {
    if (constant.shape.size() > shape.size() || shape.size() <= kChannelAxis) {
        return {};
    }
    const size_t first = shape.size() - constant.shape.size();
    for (size_t i = 0; i < constant.shape.size(); ++i) {
        const bool along_channels =
            first + i == kChannelAxis && constant.shape[i] == shape[first + i];
        if (!along_channels && constant.shape[i] != Dim(1)) {
            return {};
        }
    }
    std::vector<double> values = reals(constant);
    if (values.size() == 1) {
        values.resize(static_cast<size_t>(shape[kChannelAxis].value()), values[0]);
    }
    return values;
}

// Of a product or sum of something with a constant that is a number for each channel; or nothing.
std::optional<Affine> affine_of_constant(const Graph &graph, const Node &node, TensorId operand) {
    const TensorId constant = node.inputs[0] == operand ? node.inputs[1] : node.inputs[0];
    const std::vector<Dim> &shape = graph.tensor(operand).shape;
    const auto values = broadcast_to_channels(graph.tensor(constant), shape);
    if (!values || graph.tensor(node.outputs[0]).shape != shape ||
        !std::all_of(values->begin(), values->end(), [](double v) { return std::isfinite(v); })) {
        return {};
    }
    const std::vector<double> zeros(values->size(), 0.0);
    const std::vector<double> ones(values->size(), 1.0);
    return node.operator_type == "Mul" ? Affine{*values, zeros} : Affine{ones, *values};
}

// The batch norm in inference mode with constant parameters, or nothing.
std::optional<Affine> affine_of_norm(const Graph &graph, const Node &node) {
    if (node.inputs.size() != 5 || node.integer("training_mode", 0) != 0) {
        return {};
    }
    std::vector<std::vector<double>> parameters;
    for (size_t i = 1; i < 5; ++i) {
        if (!is_real_constant(graph, node.inputs[i])) {
            return {};
        }
        parameters.push_back(reals(graph.tensor(node.inputs[i])));
        if (parameters[i - 1].size() != parameters[0].size()) {
            return {};
        }
    }
    const double epsilon = node.real("epsilon", 1e-5);
    Affine result;
    for (size_t c = 0; c < parameters[0].size(); ++c) {
        const double scale = parameters[0][c] / std::sqrt(parameters[3][c] + epsilon);
        const double shift = parameters[1][c] - scale * parameters[2][c];
        if (!std::isfinite(scale) || !std::isfinite(shift)) {
            return {};  // 0 * infinity is no longer what the batch norm computes
        }
        result.scale.push_back(scale);
        result.shift.push_back(shift);
    }
    return result;
}

// Where a linear operator's weights have their output channels: along `axis`, in each of `groups` equal
// parts of axis 0 those of one group.
struct Channels {
    size_t axis = 0;
    size_t groups = 1;
};

// Nothing if the operator does not have as many output channels as `channels`.
std::optional<Channels> channels_of(const Node &linear, const Tensor &weights, size_t channels) {
    Channels of;
    if (linear.operator_type == "Gemm") {
        of.axis = linear.integer("transB", 0) == 0 ? 1 : 0;
    } else if (linear.operator_type == "ConvTranspose") {
        const int64_t groups = linear.integer("group", 1);
        of = {.axis = 1, .groups = groups < 1 ? 1 : static_cast<size_t>(groups)};
    }
    if (weights.shape.size() <= of.axis ||
        static_cast<size_t>(weights.shape[of.axis].value()) * of.groups != channels ||
        static_cast<size_t>(weights.shape[0].value()) % of.groups != 0) {
        return {};
    }
    return of;
}

// The weights multiplied by `scale` along their output channels.
std::vector<double> scaled(const Tensor &weights, const Channels &channels,
                           const std::vector<double> &scale) {
    std::vector<double> values = reals(weights);
    size_t inner = 1;
    for (size_t i = channels.axis + 1; i < weights.shape.size(); ++i) {
        inner *= static_cast<size_t>(weights.shape[i].value());
    }
    const size_t of_group = scale.size() / channels.groups;
    const size_t rows = inner == 0 ? 0 : values.size() / inner;  // of elements of one channel
    for (size_t row = 0; row < rows; ++row) {
        const size_t group = row / (rows / channels.groups);
        const double factor = scale[group * of_group + row % of_group];
        double *const first = values.data() + row * inner;
        std::for_each(first, first + inner, [&](double &value) { value *= factor; });
    }
    return values;
}

// Operand `index` as one value per channel: absent is zero, one value is repeated. Nothing if it
// varies along another axis.
std::optional<std::vector<double>> per_channel(const Graph &graph, const Node &node, size_t index,
                                               size_t channels) {
    if (index >= node.inputs.size() || node.inputs[index] == kNoTensor) {
        return std::vector<double>(channels, 0.0);
    }
    if (!is_real_constant(graph, node.inputs[index])) {
        return {};
    }
    const Tensor &tensor = graph.tensor(node.inputs[index]);
    std::vector<double> values = reals(tensor);
    if (values.size() == 1) {
        values.resize(channels, values[0]);
    } else if (tensor.shape.back().value() != static_cast<int64_t>(channels)) {
        return {};
    }
    return values.size() == channels ? std::optional(values) : std::nullopt;
}

TensorId add_constant(Graph &graph, UnusedNames &names, const std::string &name, DataType type,
                      std::vector<Dim> shape, const std::vector<double> &values) {
    Tensor tensor;
    tensor.name = names.make(name);
    tensor.type = type;
    tensor.shape = std::move(shape);
    tensor.constant = constant_of(values, type);
    return graph.add_tensor(std::move(tensor));
}

// Folds `norm` into `linear` if the algebra above applies.
bool fold(Graph &graph, UnusedNames &names, Node &linear, const Node &norm, TensorId between) {
    const bool gemm = linear.operator_type == "Gemm";
    if (linear.inputs.size() < 2 || !is_real_constant(graph, linear.inputs[1])) {
        return false;
    }
    const std::optional<Affine> affine = norm.operator_type == "BatchNormalization"
                                             ? affine_of_norm(graph, norm)
                                             : affine_of_constant(graph, norm, between);
    const Tensor weights = graph.tensor(linear.inputs[1]);
    const std::optional<Channels> channels =
        affine ? channels_of(linear, weights, affine->scale.size()) : std::nullopt;
    if (!channels) {
        return false;
    }
    std::optional<std::vector<double>> bias = per_channel(graph, linear, 2, affine->scale.size());
    if (!bias) {
        return false;
    }
    const double beta = gemm ? linear.real("beta", 1.0) : 1.0;
    for (size_t c = 0; c < bias->size(); ++c) {
        (*bias)[c] = affine->scale[c] * beta * (*bias)[c] + affine->shift[c];
    }

    const std::string &result = graph.tensor(norm.outputs[0]).name;
    const std::string weights_name = result + ".weights";
    const std::string bias_name = result + ".bias";
    linear.inputs.resize(3, kNoTensor);
    linear.inputs[1] = add_constant(graph, names, weights_name, weights.type, weights.shape,
                                    scaled(weights, *channels, affine->scale));
    linear.inputs[2] = add_constant(graph, names, bias_name, weights.type,
                                    {Dim(static_cast<int64_t>(bias->size()))}, *bias);
    if (gemm) {
        linear.attributes["beta"] = 1.0;
    }
    linear.outputs[0] = norm.outputs[0];
    return true;
}

int64_t weight_bytes(const Graph &graph, const Node &linear) {
    if (linear.inputs.size() < 2 || !is_real_constant(graph, linear.inputs[1])) {
        return 0;
    }
    return static_cast<int64_t>(graph.tensor(linear.inputs[1]).constant->size);
}

bool only_first_output(const Node &node) {
    for (size_t i = 1; i < node.outputs.size(); ++i) {
        if (node.outputs[i] != kNoTensor) {
            return false;
        }
    }
    return !node.outputs.empty() && node.outputs[0] != kNoTensor;
}

// What `node`, a batch norm or a product or sum with a constant, is applied to; kNoTensor if it is none.
TensorId operand_of(const Graph &graph, const Node &node) {
    if (!node.domain.empty() || !only_first_output(node) || node.inputs.empty()) {
        return kNoTensor;
    }
    if (node.operator_type == "BatchNormalization") {
        return node.inputs[0];
    }
    if ((node.operator_type == "Mul" || node.operator_type == "Add") && node.inputs.size() == 2) {
        for (size_t i = 0; i < 2; ++i) {
            if (is_real_constant(graph, node.inputs[i])) {
                return node.inputs[1 - i];
            }
        }
    }
    return kNoTensor;
}

bool is_linear(const Node &node) {
    return node.domain.empty() && (node.operator_type == "Conv" || node.operator_type == "Gemm" ||
                                   node.operator_type == "ConvTranspose");
}

Graph fold_batch_norms(Graph graph) {
    std::vector<int> producers = graph.producers();
    const std::vector<std::vector<int>> consumers = graph.consumers();
    const std::vector<bool> is_output = output_flags(graph);
    UnusedNames names(graph);
    int64_t bytes_left = kMostFoldedBytes;
    for (Node &norm : graph.nodes) {
        const TensorId between = operand_of(graph, norm);
        if (between == kNoTensor) {
            continue;
        }
        const int producer = producers[static_cast<size_t>(between)];
        if (producer < 0 || consumers[static_cast<size_t>(between)].size() != 1 ||
            is_output[static_cast<size_t>(between)]) {
            continue;
        }
        Node &linear = graph.nodes[static_cast<size_t>(producer)];
        const bool known = is_linear(linear);
        const int64_t bytes = known ? weight_bytes(graph, linear) : 0;
        if (known && bytes <= bytes_left && fold(graph, names, linear, norm, between)) {
            bytes_left -= bytes;
            producers[static_cast<size_t>(norm.outputs[0])] =
                producer;  // for a batch norm after it
            norm.inputs.clear();
            norm.outputs.clear();
        }
    }
    graph.remove_dead_nodes();
    return graph;
}

}  // namespace

const Pass &graph_pass_fold_batch_norms() {
    static const Pass pass = {"fold-batch-norms",
                              "s (W x + b) + t -> (s W) x + (s b + t), per channel", 30,
                              fold_batch_norms};
    return pass;
}

}  // namespace emulsion
