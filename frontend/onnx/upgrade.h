// Nodes of older and newer models in the form that operators are written for, the one of opset
// kOpset. ONNX's own version converter is not used: it works on whole models, refuses those that hold
// one operator it has no adapter for, and gets some wrong (Resize of opset 10 loses its coordinates).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "frontend/graph/graph.h"

namespace emulsion {

// Where an upgrade puts the tensors it makes.
struct UpgradeContext {
    Graph &graph;
    std::function<std::string(const std::string &)> unique_name;  // a tensor name not yet in use

    TensorId integers(const std::string &name, const std::vector<int64_t> &values) const;
    TensorId reals(const std::string &name, const std::vector<double> &values, DataType type,
                   bool scalar = false) const;
    // A tensor that a node makes.
    TensorId value(const std::string &name, DataType type, const std::vector<int64_t> &shape) const;
};

// The nodes that stand for `node`, an ai.onnx operator as defined since opset `since`: most often
// itself, with attributes turned into operands. Types and shapes of its operands and results are
// known. Throws Error, naming the attribute, for forms that opset kOpset can't express.
std::vector<Node> upgrade(const UpgradeContext &context, Node node, int since);

// The operator type that `type`, as defined since opset `since`, has in opset kOpset.
std::string upgraded_type(const std::string &type, int since);

}  // namespace emulsion
