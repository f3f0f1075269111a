// Questions about the graph, and the small edits that passes are made of.
#include "frontend/graph/graph.h"

#include <algorithm>

namespace emulsion {

TensorId Graph::add_tensor(Tensor tensor) {
    tensors.push_back(std::move(tensor));
    return static_cast<TensorId>(tensors.size()) - 1;
}

int Graph::producer(TensorId id) const {
    for (size_t n = 0; n < nodes.size(); ++n) {
        const auto &made = nodes[n].outputs;
        if (std::find(made.begin(), made.end(), id) != made.end()) {
            return static_cast<int>(n);
        }
    }
    return -1;
}

std::vector<int> Graph::producers() const {
    std::vector<int> result(tensors.size(), -1);
    for (size_t n = 0; n < nodes.size(); ++n) {
        for (const TensorId id : nodes[n].outputs) {
            if (id != kNoTensor) {
                result.at(static_cast<size_t>(id)) = static_cast<int>(n);
            }
        }
    }
    return result;
}

std::vector<std::vector<int>> Graph::consumers() const {
    std::vector<std::vector<int>> result(tensors.size());
    for (size_t n = 0; n < nodes.size(); ++n) {
        for (const TensorId id : nodes[n].inputs) {
            if (id != kNoTensor) {
                result.at(static_cast<size_t>(id)).push_back(static_cast<int>(n));
            }
        }
    }
    return result;
}

bool Graph::is_output(TensorId id) const {
    return std::find(outputs.begin(), outputs.end(), id) != outputs.end();
}

void Graph::replace_uses(TensorId from, TensorId to) {
    for (Node &node : nodes) {
        std::replace(node.inputs.begin(), node.inputs.end(), from, to);
    }
    std::replace(outputs.begin(), outputs.end(), from, to);
}

void Graph::remove_dead_nodes() {
    // Backwards, so that one sweep sees every use of a node's results before the node itself.
    std::vector<bool> used(tensors.size(), false);
    const auto use = [&](TensorId id) {
        if (id != kNoTensor) {
            used.at(static_cast<size_t>(id)) = true;
        }
    };
    std::for_each(outputs.begin(), outputs.end(), use);

    std::vector<Node> kept;
    for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
        const bool alive =
            std::any_of(node->outputs.begin(), node->outputs.end(), [&](TensorId id) {
                return id != kNoTensor && used.at(static_cast<size_t>(id));
            });
        if (alive) {
            std::for_each(node->inputs.begin(), node->inputs.end(), use);
            kept.push_back(std::move(*node));
        }
    }
    std::reverse(kept.begin(), kept.end());
    nodes = std::move(kept);

    // Weights that nothing reads any more (they were folded) need not stay in memory.
    for (size_t id = 0; id < tensors.size(); ++id) {
        if (tensors[id].is_constant() && !used[id]) {
            tensors[id].constant.reset();
        }
    }
}

}  // namespace emulsion
