#include "frontend/onnx/build_graph.h"

#include <onnx/onnx_pb.h>

#include <memory>
#include <string>
#include <unordered_map>
#include <utility>

#include "frontend/onnx/messages.h"
#include "frontend/onnx/tensor_data.h"

namespace emulsion {

namespace {

Attribute attribute_of(const onnx::AttributeProto &proto) {
    switch (proto.type()) {
    case onnx::AttributeProto::INT: return proto.i();
    case onnx::AttributeProto::FLOAT: return static_cast<double>(proto.f());
    case onnx::AttributeProto::STRING: return proto.s();
    case onnx::AttributeProto::INTS:
        return std::vector<int64_t>(proto.ints().begin(), proto.ints().end());
    case onnx::AttributeProto::FLOATS:
        return std::vector<double>(proto.floats().begin(), proto.floats().end());
    case onnx::AttributeProto::STRINGS:
        return std::vector<std::string>(proto.strings().begin(), proto.strings().end());
    default: throw Error("attribute '" + proto.name() + "' has a type that is not supported");
    }
}

Dim dim_of(const onnx::TensorShapeProto::Dimension &proto, const std::string &name, int axis) {
    if (proto.has_dim_value()) {
        return {proto.dim_value()};
    }
    // A dimension without a name is unlike every other.
    return Dim(proto.has_dim_param() && !proto.dim_param().empty()
                   ? proto.dim_param()
                   : name + "." + std::to_string(axis));
}

class Builder {
public:
    Builder(const onnx::ModelProto &model, Weights weights, const LoadLimits &limits)
        : model_(model), limits_(limits), weights_(std::move(weights)) {
        const onnx::GraphProto &proto = model.graph();
        for (const auto *list : {&proto.value_info(), &proto.input(), &proto.output()}) {
            for (const onnx::ValueInfoProto &value : *list) {
                types_[value.name()] = &value.type();
            }
        }
        // Small weights, and what the version converter made of attributes.
        ExternalData none("", 0);
        for (const onnx::TensorProto &tensor : proto.initializer()) {
            weights_.insert_or_assign(
                tensor.name(),
                constant_tensor(std::make_shared<const onnx::TensorProto>(tensor), none, limits));
        }
    }

    Graph build() {
        const onnx::GraphProto &proto = model_.graph();
        graph_.name = proto.name();
        graph_.opset = kOpset;
        for (const onnx::ValueInfoProto &input : proto.input()) {
            if (weights_.count(input.name()) == 0) {
                graph_.inputs.push_back(
                    add_value(input.name(), "graph input '" + input.name() + "'"));
            }
        }
        for (const onnx::NodeProto &node : proto.node()) {
            add_node(node);
        }
        for (const onnx::ValueInfoProto &output : proto.output()) {
            graph_.outputs.push_back(ids_.at(output.name()));
        }
        return std::move(graph_);
    }

private:
    // A tensor that exists only at run time, typed by shape inference.
    TensorId add_value(const std::string &name, const std::string &what) {
        const auto found = types_.find(name);
        if (found == types_.end() ||
            found->second->value_case() == onnx::TypeProto::VALUE_NOT_SET) {
            throw Error("the type of " + what + " can't be inferred");
        }
        if (!found->second->has_tensor_type()) {
            throw Error(what + " is no dense tensor; only dense tensors are supported");
        }
        const onnx::TypeProto::Tensor &type = found->second->tensor_type();
        if (!type.has_shape()) {
            throw Error("the rank of " + what + " is unknown; export the model with its shapes");
        }
        Tensor tensor;
        tensor.name = name;
        tensor.type = data_type_of(type.elem_type(), what);
        for (int axis = 0; axis < type.shape().dim_size(); ++axis) {
            tensor.shape.push_back(dim_of(type.shape().dim(axis), name, axis));
            if (tensor.shape.back() == Dim(0)) {
                throw Error(what + " has no elements, for its axis " + std::to_string(axis) +
                            " has the size 0");
            }
        }
        check_shape(tensor.shape, limits_, what);
        return ids_[name] = graph_.add_tensor(std::move(tensor));
    }

    // Weights become tensors where they are first read; what nothing reads is dropped.
    TensorId operand(const std::string &name) {
        if (name.empty()) {
            return kNoTensor;
        }
        if (const auto known = ids_.find(name); known != ids_.end()) {
            return known->second;
        }
        const auto weight = weights_.find(name);
        if (weight == weights_.end()) {
            throw Error("it reads '" + name + "', which is missing");
        }
        return ids_[name] = graph_.add_tensor(std::move(weight->second));
    }

    void add_node(const onnx::NodeProto &proto) {
        Node node;
        node.index = index_of(proto);
        node.operator_type = proto.op_type();
        node.name = proto.name().empty()
                        ? node.operator_type + "_" + std::to_string(graph_.nodes.size())
                        : proto.name();
        node.domain = proto.domain();
        try {
            for (const onnx::AttributeProto &attribute : proto.attribute()) {
                node.attributes.emplace(attribute.name(), attribute_of(attribute));
            }
            for (const std::string &name : proto.input()) {
                node.inputs.push_back(operand(name));
            }
            for (const std::string &name : proto.output()) {
                node.outputs.push_back(name.empty() ? kNoTensor
                                                    : add_value(name, "output '" + name + "'"));
            }
        } catch (const Error &error) {
            throw error.with_place(node.place());
        }
        graph_.nodes.push_back(std::move(node));
    }

    const onnx::ModelProto &model_;
    const LoadLimits &limits_;
    Weights weights_;
    std::unordered_map<std::string, const onnx::TypeProto *> types_;
    std::unordered_map<std::string, TensorId> ids_;
    Graph graph_;
};

}  // namespace

Graph build_graph(const onnx::ModelProto &model, Weights weights, const LoadLimits &limits) {
    return Builder(model, std::move(weights), limits).build();
}

}  // namespace emulsion
