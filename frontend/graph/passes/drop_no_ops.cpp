// Drop no-ops:   y = f(x) with y = x for every x   ->   uses of y read x.
//
// Where y is a graph output its name has to stay: then the node that makes x makes y instead. Where
// nothing else makes x (a graph input or a constant that is handed out unchanged) the node stays.
#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "frontend/graph/pass.h"

namespace emulsion {

namespace {

bool absent(const Node &node, size_t index) {
    return index >= node.inputs.size() || node.inputs[index] == kNoTensor;
}

bool only_first_output(const Graph &graph, const Node &node,
                       const std::vector<std::vector<int>> &consumers) {
    return std::all_of(node.outputs.begin() + 1, node.outputs.end(), [&](TensorId id) {
        return id == kNoTensor ||
               (consumers[static_cast<size_t>(id)].empty() && !graph.is_output(id));
    });
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

using Rule = std::function<bool(const Graph &, const Node &)>;

// What has to hold, besides equal type and shape of input and output, for a node to do nothing.
// Reshape and Flatten keep the row-major order: with equal shapes every element stays in place.
const std::map<std::string, Rule> &rules() {
    static const Rule always = [](const Graph &, const Node &) { return true; };
    static const std::map<std::string, Rule> rules = {
        {"Identity", always},
        {"Reshape", always},
        {"Flatten", always},
        {"Dropout", drops_nothing},
        {"AveragePool", pools_nothing},
        {"MaxPool", pools_nothing},
        {"Clip",
         [](const Graph &, const Node &node) { return absent(node, 1) && absent(node, 2); }},
    };
    return rules;
}

bool does_nothing(const Graph &graph, const Node &node,
                  const std::vector<std::vector<int>> &consumers) {
    const auto rule = rules().find(node.operator_type);
    if (!node.domain.empty() || rule == rules().end() || absent(node, 0) || node.outputs.empty() ||
        node.outputs[0] == kNoTensor) {
        return false;
    }
    const Tensor &from = graph.tensor(node.inputs[0]);
    const Tensor &to = graph.tensor(node.outputs[0]);
    return from.type == to.type && from.shape == to.shape &&
           only_first_output(graph, node, consumers) && rule->second(graph, node);
}

Graph drop_no_ops(Graph graph) {
    const std::vector<std::vector<int>> consumers = graph.consumers();
    for (size_t n = 0; n < graph.nodes.size(); ++n) {
        Node &node = graph.nodes[n];
        if (!does_nothing(graph, node, consumers)) {
            continue;
        }
        const TensorId from = node.inputs[0];
        const TensorId to = node.outputs[0];
        const int producer = graph.producer(from);
        if (!graph.is_output(to)) {
            graph.replace_uses(to, from);
        } else if (producer >= 0 && !graph.is_output(from)) {
            node.inputs.clear();
            node.outputs.clear();
            auto &made = graph.nodes[static_cast<size_t>(producer)].outputs;
            std::replace(made.begin(), made.end(), from, to);
            graph.replace_uses(from, to);
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
