// The tensor graph while it is imported: tensors and nodes as the importer asks for them, with inferred types,
// nodes of opset kOpset, and values for what can be computed at once.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "frontend/graph/graph.h"
#include "frontend/lower/evaluate.h"
#include "frontend/onnx/body_node.h"
#include "frontend/onnx/loader.h"
#include "frontend/onnx/result_types.h"
#include "frontend/onnx/scope.h"
#include "frontend/onnx/unique_names.h"
#include "frontend/onnx/weights.h"

namespace onnx {
class GraphProto;
class OpSchema;
class TensorProto;
class ValueInfoProto;
}  // namespace onnx

namespace emulsion {

class ImportedGraph {
public:
    // Empty; of a model with that graph and these weights.
    ImportedGraph(const onnx::GraphProto &proto, Weights weights, const LoadLimits &limits);

    const Graph &graph() const { return graph_; }
    const Tensor &tensor(TensorId id) const { return graph_.tensor(id); }
    // What the next tensor will be.
    TensorId next_tensor() const { return static_cast<TensorId>(graph_.tensors.size()); }

    // An input of the graph. Throws Error for types, ranks and sizes that are not accepted.
    TensorId add_input(const onnx::ValueInfoProto &input);

    // Weights become tensors where they are first read; what nothing reads is dropped.
    bool has_weight(const std::string &name) const { return weights_.count(name) != 0; }
    TensorId weight(const std::string &name);

    // A constant that `proto` returns. A function of the model that is called often has its constants once:
    // one tensor for one `object` of the model; null: a tensor of its own.
    TensorId constant(const void *object, const std::string &name,
                      const std::function<std::shared_ptr<const onnx::TensorProto>()> &proto);

    // The node, in the form of opset kOpset, or the values of its results, which are returned (kNoTensor where one is
    // left out). Throws Error for what can't be expressed so, and for types that stay unknown.
    std::vector<TensorId> add_node(const onnx::OpSchema &schema, const BodyNode &body,
                                   const Scope &scope);

    // A value that is made inside of a function or a branch gets the name of the first result of a node of
    // the model's graph that it is; constants keep theirs.
    void name_as_outside(TensorId id, const std::string &name);

    // Makes the value an output of the graph under that name.
    void add_output(TensorId id, const std::string &name);

    Graph take() && { return std::move(graph_); }

private:
    void add(Node node);

    const LoadLimits &limits_;
    Weights weights_;
    ResultTypes types_;
    UniqueNames names_;
    Graph graph_;
    Evaluator evaluator_;
    std::unordered_map<std::string, TensorId> weight_ids_;
    std::unordered_map<const void *, TensorId> constants_;
    std::unordered_set<TensorId> renamed_;
};

}  // namespace emulsion
