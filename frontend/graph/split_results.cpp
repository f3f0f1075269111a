#include "frontend/graph/split_results.h"

#include <algorithm>

namespace emulsion {

void split_results(Graph &graph) {
    std::vector<bool> used(graph.tensors.size(), false);
    for (const Node &node : graph.nodes) {
        for (const TensorId id : node.inputs) {
            if (id != kNoTensor) {
                used[static_cast<size_t>(id)] = true;
            }
        }
    }
    for (const TensorId id : graph.outputs) {
        used[static_cast<size_t>(id)] = true;
    }
    std::vector<Node> nodes;
    nodes.reserve(graph.nodes.size());
    for (Node &node : graph.nodes) {
        const std::vector<TensorId> outputs = node.outputs;
        std::fill(node.outputs.begin(), node.outputs.end(), kNoTensor);
        for (size_t i = 0; i < outputs.size(); i++) {
            if (outputs[i] != kNoTensor && used[static_cast<size_t>(outputs[i])]) {
                nodes.push_back(node);
                nodes.back().outputs[i] = outputs[i];
            }
        }
    }
    graph.nodes = std::move(nodes);
}

}  // namespace emulsion
