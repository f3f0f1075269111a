#include "frontend/onnx/imported_graph.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <utility>

#include "frontend/onnx/attributes.h"
#include "frontend/onnx/external_data.h"
#include "frontend/onnx/infer_types.h"
#include "frontend/onnx/small_values.h"
#include "frontend/onnx/tensor_data.h"
#include "frontend/onnx/upgrade.h"

namespace emulsion {

namespace {

// Until opset 13, BatchNormalization was asked for training by results beyond the first one.
void refuse_training(const onnx::OpSchema &schema, const onnx::NodeProto &node) {
    if (node.op_type() == "BatchNormalization" && schema.since_version() < 14 &&
        std::any_of(node.output().begin() + 1, node.output().end(),
                    [](const std::string &name) { return !name.empty(); })) {
        throw Error("it has " + std::to_string(node.output_size()) +
                    " results, which asks for training; accepted is inference, with one");
    }
}

// Without results.
Node node_of(const BodyNode &body) {
    Node node;
    node.name = body.place.node;
    node.index = body.place.node_index;
    node.operator_type = body.proto->op_type();
    node.inputs = body.inputs;
    for (const auto &[name, attribute] : body.attributes) {
        node.attributes.emplace(name, attribute_of(*attribute));
    }
    return node;
}

}  // namespace

ImportedGraph::ImportedGraph(const onnx::GraphProto &proto, Weights weights,
                             const LoadLimits &limits)
    : limits_(limits), weights_(std::move(weights)), types_(proto, limits), names_(proto) {
    graph_.name = proto.name();
    graph_.opset = kOpset;
}

TensorId ImportedGraph::add_input(const onnx::ValueInfoProto &input) {
    graph_.inputs.push_back(graph_.add_tensor(types_.input(input)));
    return graph_.inputs.back();
}

TensorId ImportedGraph::weight(const std::string &name) {
    if (const auto known = weight_ids_.find(name); known != weight_ids_.end()) {
        return known->second;
    }
    return weight_ids_[name] = graph_.add_tensor(std::move(weights_.at(name)));
}

TensorId
ImportedGraph::constant(const void *object, const std::string &name,
                        const std::function<std::shared_ptr<const onnx::TensorProto>()> &proto) {
    if (const auto known = constants_.find(object); known != constants_.end()) {
        return known->second;
    }
    ExternalData none("", 0);
    Tensor tensor = constant_tensor(proto(), none, limits_);
    tensor.name = names_.make(name);
    const TensorId id = graph_.add_tensor(std::move(tensor));
    if (object != nullptr) {
        constants_[object] = id;
    }
    return id;
}

std::vector<TensorId> ImportedGraph::add_node(const onnx::OpSchema &schema, const BodyNode &body,
                                              const Scope &scope) {
    refuse_training(schema, *body.proto);
    Node node = node_of(body);
    const std::vector<onnx::TypeProto> inferred = infer_types(schema, body, graph_);
    for (int i = 0; i < body.proto->output_size(); ++i) {
        const std::string &name = body.proto->output(i);
        if (name.empty()) {
            node.outputs.push_back(kNoTensor);
            continue;
        }
        Tensor tensor = types_.result(inferred[static_cast<size_t>(i)], name, scope.is_main());
        if (!scope.is_main()) {
            tensor.name = names_.make(scope.prefix + name);
        }
        node.outputs.push_back(graph_.add_tensor(std::move(tensor)));
    }
    std::vector<TensorId> results = node.outputs;
    const UpgradeContext context = {graph_,
                                    [this](const std::string &name) { return names_.make(name); }};
    for (Node &made : upgrade(context, std::move(node), schema.since_version())) {
        add(std::move(made));
    }
    return results;
}

// Results with a value need no node.
void ImportedGraph::add(Node node) {
    drop_empty_operands(graph_, node);
    bool open = false;
    for (TensorId &id : node.outputs) {
        if (id == kNoTensor) {
            continue;
        }
        Node single = node;
        std::fill(single.outputs.begin(), single.outputs.end(), kNoTensor);
        single.outputs[static_cast<size_t>(&id - node.outputs.data())] = id;
        graph_.tensor(id).constant = small_value(evaluator_, graph_, single);
        if (graph_.tensor(id).is_constant()) {
            id = kNoTensor;
        } else {
            open = true;
            ResultTypes::require_elements(graph_.tensor(id));
        }
    }
    if (open) {
        graph_.nodes.push_back(std::move(node));
    }
}

void ImportedGraph::name_as_outside(TensorId id, const std::string &name) {
    if (!graph_.tensor(id).is_constant() && renamed_.insert(id).second) {
        graph_.tensor(id).name = name;
    }
}

// A graph output is made by a node, under the output's name: what is an input, a constant or
// another output as well is handed out by an Identity.
void ImportedGraph::add_output(TensorId id, const std::string &name) {
    const Tensor &tensor = graph_.tensor(id);
    const bool is_input = id < static_cast<TensorId>(graph_.inputs.size());  // they come first
    const bool made = !tensor.is_constant() && tensor.name == name && !is_input;
    if (made) {
        graph_.outputs.push_back(id);
        return;
    }
    Tensor result = tensor;
    result.constant.reset();
    if (tensor.name == name) {
        // Two tensors can't have one name, and users know the output by it.
        if (tensor.is_constant()) {
            graph_.tensor(id).name = names_.make(name + ".value");
        } else {
            result.name = names_.make(name + ".output");
        }
    } else {
        result.name = name;
    }
    Node identity;
    identity.operator_type = "Identity";
    identity.name = result.name + ".Identity";
    identity.inputs = {id};
    ResultTypes::require_elements(result);
    identity.outputs = {graph_.add_tensor(std::move(result))};
    graph_.outputs.push_back(identity.outputs[0]);
    graph_.nodes.push_back(std::move(identity));
}

}  // namespace emulsion
