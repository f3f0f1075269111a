// Fold batch norms into the linear operator before them. With s = scale / sqrt(var + epsilon):
//
//     y = s * (Conv(x, W, B) - mean) + bias
//       = Conv(x, s W, s (B - mean) + bias)                 s along W's output channels
//     y = s * (alpha x W + beta C - mean) + bias
//       = alpha x (s W) + 1 * (s (beta C - mean) + bias)    s along W's columns
//
// when everything but x is constant and nothing else reads the value between. The linear operator
// then makes the batch norm's output, under the batch norm's name, so that values at the borders of
// groups keep their ONNX names. Where no fold is possible the batch norm stays.
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

// A batch norm as y = scale * x + shift, per channel.
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

// The batch norm in inference mode with constant parameters, or nothing.
std::optional<Affine> affine_of(const Graph &graph, const Node &node) {
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

// Multiplies by `scale` along `axis`.
std::vector<double> scaled(const Tensor &tensor, size_t axis, const std::vector<double> &scale) {
    std::vector<double> values = reals(tensor);
    size_t inner = 1;
    for (size_t i = axis + 1; i < tensor.shape.size(); ++i) {
        inner *= static_cast<size_t>(tensor.shape[i].value());
    }
    for (size_t i = 0; i < values.size(); ++i) {
        values[i] *= scale[i / inner % scale.size()];
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
bool fold(Graph &graph, UnusedNames &names, Node &linear, const Node &norm) {
    const bool gemm = linear.operator_type == "Gemm";
    if (linear.inputs.size() < 2 || !is_real_constant(graph, linear.inputs[1])) {
        return false;
    }
    const std::optional<Affine> affine = affine_of(graph, norm);
    const Tensor weights = graph.tensor(linear.inputs[1]);
    const size_t axis = gemm && linear.integer("transB", 0) == 0 ? 1 : 0;
    if (!affine || weights.shape.size() <= axis ||
        weights.shape[axis].value() != static_cast<int64_t>(affine->scale.size())) {
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
                                    scaled(weights, axis, affine->scale));
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

Graph fold_batch_norms(Graph graph) {
    std::vector<int> producers = graph.producers();
    const std::vector<std::vector<int>> consumers = graph.consumers();
    const std::vector<bool> is_output = output_flags(graph);
    UnusedNames names(graph);
    int64_t bytes_left = kMostFoldedBytes;
    for (Node &norm : graph.nodes) {
        if (norm.operator_type != "BatchNormalization" || !norm.domain.empty() ||
            !only_first_output(norm) || norm.inputs.empty() || norm.inputs[0] == kNoTensor) {
            continue;
        }
        const TensorId between = norm.inputs[0];
        const int producer = producers[static_cast<size_t>(between)];
        if (producer < 0 || consumers[static_cast<size_t>(between)].size() != 1 ||
            is_output[static_cast<size_t>(between)]) {
            continue;
        }
        Node &linear = graph.nodes[static_cast<size_t>(producer)];
        const bool known = linear.domain.empty() &&
                           (linear.operator_type == "Conv" || linear.operator_type == "Gemm");
        const int64_t bytes = known ? weight_bytes(graph, linear) : 0;
        if (known && bytes <= bytes_left && fold(graph, names, linear, norm)) {
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
