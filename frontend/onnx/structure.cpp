#include "frontend/onnx/structure.h"

#include <onnx/defs/schema.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <unordered_set>

#include "frontend/onnx/messages.h"
#include "frontend/onnx/names.h"

namespace emulsion {

namespace {

constexpr int64_t kOldestIr = 3;  // before, models name no opset

std::string default_domain(const std::string &domain) {
    return domain == "ai.onnx" ? std::string() : domain;
}

void check_model(onnx::ModelProto &model, const LoadLimits &limits) {
    if (!model.has_graph() || model.graph().node_size() == 0) {
        throw Error("it is no ONNX model, or a damaged one: it has no graph with nodes");
    }
    if (model.ir_version() < kOldestIr || model.ir_version() > onnx::Version::IR_VERSION) {
        throw Error("its ONNX file format (IR) has version " + std::to_string(model.ir_version()) +
                    "; versions " + std::to_string(kOldestIr) + " to " +
                    std::to_string(onnx::Version::IR_VERSION) + " are accepted");
    }
    if (model.graph().node_size() > limits.nodes) {
        throw Error("it has " + std::to_string(model.graph().node_size()) +
                    " nodes, more than the " + std::to_string(limits.nodes) + " accepted");
    }
    if (model.graph().sparse_initializer_size() > 0) {
        throw Error("it has sparse weights; only dense ones are supported");
    }
    if (model.graph().output_size() == 0) {
        throw Error("its graph has no outputs");
    }
    for (onnx::OperatorSetIdProto &opset : *model.mutable_opset_import()) {
        opset.set_domain(default_domain(opset.domain()));
    }
}

void check_attribute(const onnx::NodeProto &node, const onnx::AttributeProto &attribute,
                     const ErrorPlace &place) {
    const auto refuse = [&](const std::string &what) {
        throw Error("attribute '" + attribute.name() + "' " + what, place);
    };
    if (attribute.has_ref_attr_name()) {
        refuse("refers to an attribute of a function, but the node is in no function");
    }
    switch (attribute.type()) {
    case onnx::AttributeProto::FLOAT:
    case onnx::AttributeProto::INT:
    case onnx::AttributeProto::STRING:
    case onnx::AttributeProto::FLOATS:
    case onnx::AttributeProto::INTS:
    case onnx::AttributeProto::STRINGS: return;
    case onnx::AttributeProto::TENSOR:
        if (node.op_type() != "Constant") {
            refuse("is a tensor; that is supported for Constant only");
        }
        return;
    case onnx::AttributeProto::GRAPH:
    case onnx::AttributeProto::GRAPHS: refuse("is a graph: control flow is not supported"); return;
    default: refuse("has a type that is not supported; numbers, strings and lists of them are");
    }
}

void check_operator(const onnx::ModelProto &model, const onnx::NodeProto &node, int64_t opset,
                    const ErrorPlace &place) {
    if (!node.domain().empty()) {
        throw Error("there are no operators of domain '" + node.domain() +
                        "'; those of ai.onnx are supported" +
                        (model.functions_size() > 0
                             ? ", and functions of the model itself must be inlined on export"
                             : ""),
                    place);
    }
    const onnx::OpSchema *schema =
        onnx::OpSchemaRegistry::Schema(node.op_type(), static_cast<int>(opset), "");
    if (schema == nullptr || schema->Deprecated()) {
        throw Error("ONNX has no operator '" + node.op_type() + "' at opset " +
                        std::to_string(opset),
                    place);
    }
}

void require_shape(const onnx::ValueInfoProto &value, const std::string &what) {
    const bool known = value.type().has_tensor_type() && value.type().tensor_type().has_shape();
    if (!known) {
        throw Error(what + " '" + value.name() +
                    "' is not declared as a tensor with a shape; run ONNX shape inference on the "
                    "model");
    }
}

// Names of values that exist before a node runs; each is made once, and before it is read.
class Values {
public:
    explicit Values(const onnx::GraphProto &graph) {
        for (const onnx::ValueInfoProto &input : graph.input()) {
            require_printable(input.name(), "the name of a graph input", {});
            require_shape(input, "graph input");
            if (!known_.insert(input.name()).second) {
                throw Error("graph input '" + input.name() + "' is listed twice");
            }
        }
        std::unordered_set<std::string> weights;
        for (const onnx::TensorProto &tensor : graph.initializer()) {
            require_printable(tensor.name(), "the name of an initializer", {});
            if (!weights.insert(tensor.name()).second) {
                throw Error("initializer '" + tensor.name() + "' is listed twice");
            }
            known_.insert(tensor.name());
        }
        for (int i = 0; i < graph.node_size(); ++i) {
            for (const std::string &name : graph.node(i).output()) {
                maker_.emplace(name, i);
            }
        }
    }

    void read(const std::string &name, const ErrorPlace &place) const {
        if (name.empty() || known_.count(name) != 0) {
            return;
        }
        require_printable(name, "the name of an input", place);
        if (maker_.count(name) != 0) {
            throw Error("it reads '" + name +
                            "' before that is made; nodes must be in topological order, without "
                            "cycles",
                        place);
        }
        throw Error("it reads '" + name +
                        "', which is missing: it is neither a graph input nor an initializer nor "
                        "the output of a node",
                    place);
    }

    void make(const std::string &name, const ErrorPlace &place) {
        if (name.empty()) {
            return;
        }
        require_printable(name, "the name of an output", place);
        if (!known_.insert(name).second) {
            throw Error("it makes '" + name + "', which exists already; names must be unique",
                        place);
        }
    }

    // Graph outputs are made by nodes: handing out an input or a weight unchanged would need two
    // names for one value.
    void hand_out(const onnx::ValueInfoProto &output) const {
        require_printable(output.name(), "the name of a graph output", {});
        require_shape(output, "graph output");
        if (maker_.count(output.name()) != 0) {
            return;
        }
        throw Error("graph output '" + output.name() + "' " +
                    (known_.count(output.name()) != 0
                         ? "is an input or an initializer handed out unchanged; put an Identity "
                           "node between"
                         : "is made by no node"));
    }

private:
    std::unordered_set<std::string> known_;
    std::map<std::string, int> maker_;
};

void check_node(const onnx::ModelProto &model, onnx::NodeProto &node, int index, int64_t opset,
                Values &values) {
    node.set_domain(default_domain(node.domain()));
    ErrorPlace unnamed;
    unnamed.node_index = index;
    if (!node.name().empty()) {
        require_printable(node.name(), "its name", unnamed);
    }
    require_printable(node.op_type(), "its operator type", unnamed);
    require_printable("domain" + node.domain(), "its domain", unnamed);
    if (node.name().empty()) {
        node.set_name(node.op_type() + "_" + std::to_string(index));
    }
    set_index(node, index);

    const ErrorPlace place = place_of(node);
    check_operator(model, node, opset, place);
    for (const onnx::AttributeProto &attribute : node.attribute()) {
        require_printable(attribute.name(), "the name of an attribute", place);
        check_attribute(node, attribute, place);
    }
    for (const std::string &name : node.input()) {
        values.read(name, place);
    }
    for (const std::string &name : node.output()) {
        values.make(name, place);
    }
}

}  // namespace

int64_t imported_opset(const onnx::ModelProto &model) {
    std::optional<int64_t> version;
    for (const onnx::OperatorSetIdProto &opset : model.opset_import()) {
        if (default_domain(opset.domain()).empty()) {
            if (version && *version != opset.version()) {
                throw Error("it imports two opsets of ai.onnx, " + std::to_string(*version) +
                            " and " + std::to_string(opset.version()));
            }
            version = opset.version();
        }
    }
    if (!version) {
        throw Error("it is no ONNX model, or a damaged one: it imports no opset of ai.onnx");
    }
    const auto range = onnx::OpSchemaRegistry::DomainToVersionRange::Instance().Map().at("");
    if (*version < range.first || *version > range.second) {
        throw Error("it imports opset " + std::to_string(*version) + " of ai.onnx; " +
                    std::to_string(range.first) + " to " + std::to_string(range.second) +
                    " are known");
    }
    return *version;
}

void check_structure(onnx::ModelProto &model, const LoadLimits &limits) {
    check_model(model, limits);
    const int64_t opset = imported_opset(model);
    onnx::GraphProto &graph = *model.mutable_graph();
    Values values(graph);
    for (int i = 0; i < graph.node_size(); ++i) {
        check_node(model, *graph.mutable_node(i), i, opset, values);
    }
    // No node calls them, or it would have been refused; then they need no checks either.
    model.clear_functions();
    model.clear_training_info();
    std::unordered_set<std::string> outputs;
    for (const onnx::ValueInfoProto &output : graph.output()) {
        values.hand_out(output);
        if (!outputs.insert(output.name()).second) {
            throw Error("graph output '" + output.name() + "' is listed twice");
        }
    }
}

}  // namespace emulsion
