// Fold constants:   y = f(c1, ..., cn), every c constant   ->   y is a constant.
//
// Not folded: nodes without inputs (random generators), nodes that make a graph output (something
// has to write it at run time), and results that are too large to be worth keeping in the file.
#include <algorithm>
#include <vector>

#include "frontend/graph/pass.h"
#include "frontend/lower/evaluate.h"

namespace emulsion {

namespace {

// A few lines of ONNX can ask for constants of any size (Expand, ConstantOfShape). Larger than this
// they are computed at run time: a weights file that outgrows its model helps nobody.
constexpr int64_t kLargestFoldedBytes = int64_t{256} << 20;

bool small_enough(const Tensor &tensor) {
    const bool sized = std::all_of(tensor.shape.begin(), tensor.shape.end(),
                                   [](const Dim &dim) { return dim.is_constant(); });
    return sized && tensor.element_count() <= kLargestFoldedBytes / size_of(tensor.type);
}

bool foldable(const Graph &graph, const Node &node) {
    bool any = false;
    for (const TensorId id : node.inputs) {
        if (id != kNoTensor) {
            any = true;
            if (!graph.tensor(id).is_constant()) {
                return false;
            }
        }
    }
    return any && std::all_of(node.outputs.begin(), node.outputs.end(), [&](TensorId id) {
               return id == kNoTensor || (!graph.is_output(id) && small_enough(graph.tensor(id)));
           });
}

Graph fold_constants(Graph graph) {
    // Nodes are in topological order: one sweep folds chains.
    std::vector<Node> kept;
    for (const Node &node : graph.nodes) {
        if (!foldable(graph, node)) {
            kept.push_back(node);
            continue;
        }
        const std::vector<ConstantData> values = evaluate(graph, node);
        for (size_t i = 0; i < node.outputs.size(); ++i) {
            if (node.outputs[i] != kNoTensor) {
                graph.tensor(node.outputs[i]).constant = values.at(i);
            }
        }
    }
    graph.nodes = std::move(kept);
    graph.remove_dead_nodes();
    return graph;
}

}  // namespace

const Pass &graph_pass_fold_constants() {
    static const Pass pass = {"fold-constants", "f(constants) -> constant", 10, fold_constants};
    return pass;
}

}  // namespace emulsion
