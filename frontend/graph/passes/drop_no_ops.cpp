// Drop no-ops:   y = f(x) with y = x for every x   ->   uses of y read x.
//
// Where y is a graph output its name has to stay: then the node that makes x makes y instead. Where
// nothing else makes x (a graph input or a constant that is handed out unchanged) the node stays.
#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "frontend/graph/output_flags.h"
#include "frontend/graph/pass.h"

namespace emulsion {

namespace {

bool absent(const Node &node, size_t index) {
    return index >= node.inputs.size() || node.inputs[index] == kNoTensor;
}

bool all_equal(const std::vector<int64_t> &values, int64_t expected) {
    return std::all_of(values.begin(), values.end(), [&](int64_t v) { return v == expected; });
}

// Dropout passes its input through unless `training_mode` is, or may turn out to be, true.
bool drops_nothing(const Graph &graph, const Node &node) {
    if (absent(node, 2)) {
        return true;
    }
    const Tensor &training = graph.tensor(node.inputs[2]);
    return training.is_constant() && training.constant->size == 1 &&
           *training.constant->as<uint8_t>() == 0;
}

// A pooling window of one element, moved by one, without padding; dilation moves nothing in it.
bool pools_nothing(const Graph &, const Node &node) {
    return node.has("kernel_shape") && all_equal(node.integers("kernel_shape", {}), 1) &&
           all_equal(node.integers("strides", {}), 1) && all_equal(node.integers("pads", {}), 0);
}

// The list of integers `name`: operand `index`, or an attribute, as older opsets have it. Nothing if it
// is not known.
std::optional<std::vector<int64_t>> known_list(const Graph &graph, const Node &node, size_t index,
                                               const std::string &name) {
    if (absent(node, index)) {
        return node.has(name) ? std::optional(node.integers(name, {})) : std::nullopt;
    }
    const Tensor &list = graph.tensor(node.inputs[index]);
    if (!list.is_constant()) {
        return {};
    }
    std::vector<int64_t> values(static_cast<size_t>(list.element_count()));
    for (size_t i = 0; i < values.size(); i++) {
        if (list.type == DataType::I64) {
            std::memcpy(&values[i], list.constant->bytes + i * sizeof(int64_t), sizeof(int64_t));
        } else if (list.type == DataType::I32) {
            int32_t value = 0;
            std::memcpy(&value, list.constant->bytes + i * sizeof(value), sizeof(value));
            values[i] = value;
        } else {
            return {};
        }
    }
    return values;
}

// Axes of more than one element stay in their order.
bool permutes_nothing(const Graph &graph, const Node &node) {
    const std::vector<Dim> &shape = graph.tensor(node.inputs[0]).shape;
    std::vector<int64_t> reversed;
    for (size_t i = shape.size(); i-- > 0;) {
        reversed.push_back(static_cast<int64_t>(i));
    }
    std::vector<int64_t> order;
    for (const int64_t axis : node.integers("perm", reversed)) {
        if (axis < 0 || axis >= static_cast<int64_t>(shape.size())) {
            return false;  // refused later
        }
        if (shape[static_cast<size_t>(axis)] != Dim(1)) {
            order.push_back(axis);
        }
    }
    return std::is_sorted(order.begin(), order.end());
}

// With the shape unchanged and every step forward, the slice starts at the first element.
bool slices_nothing(const Graph &graph, const Node &node) {
    constexpr size_t kSteps = 4;
    const auto steps = known_list(graph, node, kSteps, "steps");
    return absent(node, kSteps) ||
           (steps && std::all_of(steps->begin(), steps->end(), [](int64_t s) { return s > 0; }));
}

bool pads_nothing(const Graph &graph, const Node &node) {
    const auto pads = known_list(graph, node, 1, "pads");
    return pads && all_equal(*pads, 0);
}

// The shape unchanged because the operand sizes says so, or all scales are 1.
bool resizes_nothing(const Graph &graph, const Node &node) {
    constexpr size_t kScales = 2;
    if (node.text("coordinate_transformation_mode", "half_pixel") == "tf_crop_and_resize" ||
        node.text("keep_aspect_ratio_policy", "stretch") != "stretch") {
        return false;
    }
    if (absent(node, kScales) || graph.tensor(node.inputs[kScales]).element_count() == 0) {
        return true;
    }
    const Tensor &scales = graph.tensor(node.inputs[kScales]);
    if (!scales.is_constant() || scales.type != DataType::F32) {
        return false;
    }
    for (int64_t i = 0; i < scales.element_count(); i++) {
        float scale = 0.0F;
        std::memcpy(&scale, scales.constant->bytes + static_cast<size_t>(i) * sizeof(scale),
                    sizeof(scale));
        if (scale != 1.0F) {
            return false;
        }
    }
    return true;
}

bool has_one_operand(const Graph &, const Node &node) { return node.inputs.size() == 1; }

using Rule = std::function<bool(const Graph &, const Node &)>;

// What has to hold, besides equal type and shape of input and output, for a node to do nothing.
// Reshape and its like keep the row-major order: with equal shapes every element stays in place. Parts
// and blocks as large as the tensor are the tensor.
const std::map<std::string, Rule> &rules() {
    static const Rule always = [](const Graph &, const Node &) { return true; };
    static const std::map<std::string, Rule> rules = {
        {"Identity", always},
        {"Reshape", always},
        {"Flatten", always},
        {"Squeeze", always},
        {"Unsqueeze", always},
        {"Split", always},
        {"Expand", always},
        {"Tile", always},
        {"Cast", always},
        {"DepthToSpace", always},
        {"SpaceToDepth", always},
        {"Concat", has_one_operand},
        {"Sum", has_one_operand},
        {"Mean", has_one_operand},
        {"Max", has_one_operand},
        {"Min", has_one_operand},
        {"Transpose", permutes_nothing},
        {"Slice", slices_nothing},
        {"Pad", pads_nothing},
        {"Resize", resizes_nothing},
        {"Dropout", drops_nothing},
        {"AveragePool", pools_nothing},
        {"MaxPool", pools_nothing},
        {"Clip",
         [](const Graph &, const Node &node) { return absent(node, 1) && absent(node, 2); }},
    };
    return rules;
}

bool does_nothing(const Graph &graph, const Node &node) {
    const auto rule = rules().find(node.operator_type);
    if (!node.domain.empty() || rule == rules().end() || absent(node, 0) || node.outputs.empty() ||
        node.outputs[0] == kNoTensor) {
        return false;
    }
    const Tensor &from = graph.tensor(node.inputs[0]);
    const Tensor &to = graph.tensor(node.outputs[0]);
    return from.type == to.type && from.shape == to.shape && rule->second(graph, node);
}

// Tensors that others have taken the place of. All uses are changed in one sweep at the end: a model
// may consist of no-ops.
class Replacements {
public:
    explicit Replacements(size_t tensors) : by_(tensors, kNoTensor) {}

    void replace(TensorId from, TensorId by) { by_[static_cast<size_t>(from)] = by; }

    // What stands for `id` now.
    TensorId of(TensorId id) {
        TensorId last = id;
        while (last != kNoTensor && by_[static_cast<size_t>(last)] != kNoTensor) {
            last = by_[static_cast<size_t>(last)];
        }
        // The next question is answered in one step.
        while (id != last) {
            TensorId &next = by_[static_cast<size_t>(id)];
            id = next;
            next = last;
        }
        return last;
    }

private:
    std::vector<TensorId> by_;
};

Graph drop_no_ops(Graph graph) {
    std::vector<int> producers = graph.producers();
    const std::vector<bool> is_output = output_flags(graph);
    Replacements replacements(graph.tensors.size());
    for (Node &node : graph.nodes) {
        for (TensorId &id : node.inputs) {
            id = replacements.of(id);
        }
        if (!does_nothing(graph, node)) {
            continue;
        }
        const TensorId from = node.inputs[0];
        const TensorId to = node.outputs[0];
        const int producer = producers[static_cast<size_t>(from)];
        if (!is_output[static_cast<size_t>(to)]) {
            replacements.replace(to, from);
        } else if (producer >= 0 && !is_output[static_cast<size_t>(from)]) {
            node.inputs.clear();
            node.outputs.clear();
            auto &made = graph.nodes[static_cast<size_t>(producer)].outputs;
            std::replace(made.begin(), made.end(), from, to);
            producers[static_cast<size_t>(to)] = producer;
            replacements.replace(from, to);
        }
    }
    for (Node &node : graph.nodes) {
        for (TensorId &id : node.inputs) {
            id = replacements.of(id);
        }
    }
    graph.remove_dead_nodes();
    return graph;
}

}  // namespace

const Pass &graph_pass_drop_no_ops() {
    static const Pass pass = {"drop-no-ops", "f(x) = x: y = f(x), g(y) -> g(x)", 20, drop_no_ops};
    return pass;
}

}  // namespace emulsion
