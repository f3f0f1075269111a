// Builds the nodes that compute one node's result together: an implementation that is several operators
// (Implementation::expand in frontend/ops/operator.h). Nodes of which all operands are constants are computed when the
// model is compiled, once, if the implementation is taken.
#pragma once

#include <string>
#include <vector>

#include "frontend/graph/graph.h"

namespace emulsion {

class SubgraphBuilder {
public:
    // Nodes are called "NODE/NAME/PART" and appended to `graph`. `node` is copied: it may be one of the graph's.
    SubgraphBuilder(Graph &graph, const Node &node, const std::string &name);

    const Node &node() const { return node_; }
    bool has_input(int index) const;
    TensorId input(int index) const { return node_.inputs.at(static_cast<size_t>(index)); }
    // References don't outlive the next call that adds something.
    const Tensor &tensor(TensorId id) const { return graph_.tensor(id); }

    // A row-major constant of 64-bit integers, or of numbers of `type` (F32 or F64).
    TensorId integers(const std::vector<int64_t> &values);
    TensorId reals(const std::vector<int64_t> &shape, const std::vector<double> &values,
                   DataType type);

    // A node of operator type, operands and attributes of `like`, whose result has `shape` and the type of the
    // node's own result. `part` is unique among the nodes, and an identifier that doesn't end in a digit.
    TensorId add(const std::string &part, Node like, const std::vector<int64_t> &shape);
    // Of a constant, the same bytes.
    TensorId reshape(const std::string &part, TensorId operand, const std::vector<int64_t> &shape);
    // The last node, which makes the node's own result.
    void result(const std::string &part, Node like);
    void result_reshaped(const std::string &part, TensorId operand);

    struct Part {
        std::string part;
        int node;  // index into the graph's nodes
    };
    const std::vector<Part> &parts() const { return parts_; }

private:
    TensorId add_constant(Tensor tensor, const std::vector<int64_t> &shape,
                          std::vector<std::byte> bytes);
    void append(const std::string &part, Node like, TensorId result);
    Node reshaping(TensorId operand, const std::vector<int64_t> &shape);

    Graph &graph_;
    const Node node_;
    const std::string name_;
    std::vector<Part> parts_;
    int constants_ = 0;
};

}  // namespace emulsion
