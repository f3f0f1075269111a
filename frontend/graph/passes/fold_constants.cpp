// Fold constants:   y = f(c1, ..., cn), every c constant   ->   y is a constant.
//
// Operands of which only the extents matter (Shape, Size) may be anything. A node that makes a graph
// output becomes an Identity of the constant, for something has to write the output at run time. Not
// folded: nodes without inputs (random generators), and results that are too large to be worth keeping
// in the file or take too long to compute.
#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "frontend/graph/output_flags.h"
#include "frontend/graph/pass.h"
#include "frontend/lower/evaluate.h"

namespace emulsion {

namespace {

// A few lines of ONNX can ask for constants of any size (Expand, ConstantOfShape). Larger than this
// they are computed at run time: a weights file that outgrows its model helps nobody.
constexpr int64_t kLargestFoldedBytes = int64_t{256} << 20;

bool has_extents(const Tensor &tensor) {
    return std::all_of(tensor.shape.begin(), tensor.shape.end(),
                       [](const Dim &dim) { return dim.is_constant(); });
}

bool small_enough(const Tensor &tensor) {
    return has_extents(tensor) &&
           tensor.element_count() <= kLargestFoldedBytes / size_of(tensor.type);
}

bool foldable(const Graph &graph, const Node &node, bool writes_output) {
    bool any = false;
    for (const TensorId id : node.inputs) {
        if (id != kNoTensor) {
            any = true;
            if (!has_extents(graph.tensor(id))) {
                return false;
            }
        }
    }
    return any && is_constant_node(graph, node) && small_enough(graph.tensor(node.result())) &&
           !(writes_output && node.operator_type == "Identity");
}

// Makes `output` from a new constant, and returns that.
TensorId make_identity(Graph &graph, UnusedNames &names, Node &node, ConstantData value) {
    const TensorId output = node.result();
    Tensor constant = graph.tensor(output);
    constant.name = names.make(constant.name + ".value");
    constant.constant = std::move(value);
    node.operator_type = "Identity";
    node.domain.clear();
    node.attributes.clear();
    node.inputs = {graph.add_tensor(std::move(constant))};
    node.outputs = {output};
    return node.inputs[0];
}

Graph fold_constants(Graph graph) {
    // Nodes are in topological order: one sweep folds chains.
    std::vector<Node> nodes;
    nodes.swap(graph.nodes);
    std::map<TensorId, TensorId> value_of_output;
    const std::vector<bool> is_output = output_flags(graph);
    UnusedNames names(graph);
    Evaluator evaluator;
    for (Node &node : nodes) {
        for (TensorId &id : node.inputs) {
            const auto known = value_of_output.find(id);
            id = known == value_of_output.end() ? id : known->second;
        }
        if (!foldable(graph, node, is_output[static_cast<size_t>(node.result())])) {
            graph.nodes.push_back(std::move(node));
            continue;
        }
        const TensorId result = node.result();
        std::optional<ConstantData> value = evaluator.value(graph, node);
        if (!value) {
            graph.nodes.push_back(std::move(node));
            continue;
        }
        if (!is_output[static_cast<size_t>(result)]) {
            graph.tensor(result).constant = std::move(value);
            continue;
        }
        value_of_output[result] = make_identity(graph, names, node, std::move(*value));
        graph.nodes.push_back(std::move(node));
    }
    graph.remove_dead_nodes();
    return graph;
}

}  // namespace

const Pass &graph_pass_fold_constants() {
    static const Pass pass = {"fold-constants", "f(constants) -> constant", 10, fold_constants};
    return pass;
}

}  // namespace emulsion
