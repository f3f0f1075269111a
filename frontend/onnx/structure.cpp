#include "frontend/onnx/structure.h"

#include <onnx/defs/schema.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_set>

#include "frontend/onnx/function_body.h"
#include "frontend/onnx/messages.h"
#include "frontend/onnx/names.h"
#include "frontend/onnx/value_names.h"

namespace emulsion {

namespace {

constexpr int64_t kOldestIr = 3;     // before, models name no opset
constexpr int64_t kOldestOpset = 7;  // before, operands were broadcast by attributes

void check_model(onnx::ModelProto &model, const LoadLimits &limits) {
    if (!model.has_graph() || model.graph().node_size() == 0) {
        throw Error("it is no ONNX model, or a damaged one: it has no graph with nodes");
    }
    if (model.ir_version() < kOldestIr || model.ir_version() > onnx::Version::IR_VERSION) {
        throw Error("its ONNX file format (IR) has version " + std::to_string(model.ir_version()) +
                    "; versions " + std::to_string(kOldestIr) + " to " +
                    std::to_string(onnx::Version::IR_VERSION) + " are accepted");
    }
    int64_t nodes = model.graph().node_size();
    for (const onnx::FunctionProto &function : model.functions()) {
        nodes += function.node_size();
    }
    if (nodes > limits.nodes) {
        throw Error("it has " + std::to_string(nodes) + " nodes, more than the " +
                    std::to_string(limits.nodes) + " accepted");
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
                     bool in_function, const ErrorPlace &place) {
    const auto refuse = [&](const std::string &what) {
        throw Error("attribute '" + attribute.name() + "' " + what, place);
    };
    if (attribute.has_ref_attr_name()) {
        if (!in_function) {
            refuse("refers to an attribute of a function, but the node is in no function");
        }
        return;
    }
    // Texts are quoted where an operator does not know them.
    const auto check_text = [&](const std::string &text) {
        if (!text.empty()) {
            require_printable(text, "the text of attribute '" + attribute.name() + "'", place);
        }
    };
    switch (attribute.type()) {
    case onnx::AttributeProto::FLOAT:
    case onnx::AttributeProto::INT:
    case onnx::AttributeProto::FLOATS:
    case onnx::AttributeProto::INTS:
    case onnx::AttributeProto::TENSOR: return;
    case onnx::AttributeProto::STRING: check_text(attribute.s()); return;
    case onnx::AttributeProto::STRINGS:
        std::for_each(attribute.strings().begin(), attribute.strings().end(), check_text);
        return;
    case onnx::AttributeProto::GRAPH:
        if (node.op_type() != "If") {
            refuse("is a graph: control flow is not supported");
        }
        return;
    case onnx::AttributeProto::GRAPHS: refuse("is a graph: control flow is not supported"); return;
    default: refuse("has a type that is not supported; numbers, strings and lists of them are");
    }
}

// The nodes of a graph, a function or a branch, and what is inside them.
class BodyChecker {
public:
    BodyChecker(const onnx::ModelProto &model, const LoadLimits &limits)
        : functions_(model), limits_(limits) {}

    void check(google::protobuf::RepeatedPtrField<onnx::NodeProto> &nodes, ValueNames &values,
               int64_t opset, bool in_function) const {
        for (int i = 0; i < nodes.size(); ++i) {
            check_node(nodes[i], i, values, opset, in_function);
        }
    }

private:
    void check_node(onnx::NodeProto &node, int index, ValueNames &values, int64_t opset,
                    bool in_function) const {
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
        check_operator(node, opset, place);
        require_few(node.input_size(), "operands", place);
        require_few(node.output_size(), "results", place);
        for (const onnx::AttributeProto &attribute : node.attribute()) {
            require_printable(attribute.name(), "the name of an attribute", place);
            check_attribute(node, attribute, in_function, place);
        }
        for (const std::string &name : node.input()) {
            values.read(name, place);
        }
        check_branches(node, values, opset, in_function, place);
        for (const std::string &name : node.output()) {
            values.make(name, place);
        }
    }

    // Results are computed one by one, and expressions are as deep as an operator has operands.
    void require_few(int count, const std::string &what, const ErrorPlace &place) const {
        if (count > limits_.node_values) {
            throw Error("it has " + std::to_string(count) + " " + what + ", more than the " +
                            std::to_string(limits_.node_values) + " accepted",
                        place);
        }
    }

    void check_operator(const onnx::NodeProto &node, int64_t opset, const ErrorPlace &place) const {
        if (functions_.find(node) != nullptr) {
            return;
        }
        if (!node.domain().empty()) {
            throw Error("there are no operators of domain '" + node.domain() +
                            "'; those of ai.onnx and functions of the model are supported",
                        place);
        }
        const onnx::OpSchema *schema =
            onnx::OpSchemaRegistry::Schema(node.op_type(), static_cast<int>(opset), "");
        if (schema == nullptr || (schema->Deprecated() && !has_body(*schema))) {
            throw Error("ONNX has no operator '" + node.op_type() + "' at opset " +
                            std::to_string(opset),
                        place);
        }
        if (node.op_type() == "Constant" &&
            (node.attribute_size() != 1 || node.output_size() != 1 || node.input_size() != 0)) {
            throw Error("a Constant needs one value attribute, one output and no input", place);
        }
    }

    void check_branches(onnx::NodeProto &node, const ValueNames &values, int64_t opset,
                        bool in_function, const ErrorPlace &place) const {
        for (onnx::AttributeProto &attribute : *node.mutable_attribute()) {
            if (!attribute.has_g()) {
                continue;
            }
            try {
                onnx::GraphProto &branch = *attribute.mutable_g();
                if (branch.input_size() > 0) {
                    throw Error("attribute '" + attribute.name() + "' has inputs");
                }
                ValueNames inner(branch, &values);
                check(*branch.mutable_node(), inner, opset, in_function);
                for (const onnx::ValueInfoProto &output : branch.output()) {
                    inner.hand_out(output.name(), "branch output");
                }
            } catch (const Error &error) {
                throw Error(error.message(), place);
            }
        }
    }

    FunctionTable functions_;
    const LoadLimits &limits_;
};

void check_functions(onnx::ModelProto &model, const BodyChecker &checker) {
    for (onnx::FunctionProto &function : *model.mutable_functions()) {
        require_printable(function.name(), "the name of a function", {});
        const std::string what = "function '" + function.name() + "'";
        try {
            for (onnx::OperatorSetIdProto &opset : *function.mutable_opset_import()) {
                opset.set_domain(default_domain(opset.domain()));
            }
            ValueNames values(function);
            checker.check(*function.mutable_node(), values, imported_opset(function),
                          /*in_function=*/true);
            for (const std::string &output : function.output()) {
                values.hand_out(output, "result");
            }
        } catch (const Error &error) {
            throw Error("in " + what + ", " + error.message(), error.place());
        }
    }
}

}  // namespace

std::string default_domain(const std::string &domain) {
    return domain == "ai.onnx" ? std::string() : domain;
}

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
    if (*version < kOldestOpset || *version > range.second) {
        throw Error("it imports opset " + std::to_string(*version) + " of ai.onnx; " +
                    std::to_string(kOldestOpset) + " to " + std::to_string(range.second) +
                    " are accepted");
    }
    return *version;
}

void check_structure(onnx::ModelProto &model, const LoadLimits &limits) {
    check_model(model, limits);
    const int64_t opset = imported_opset(model);
    const BodyChecker checker(model, limits);
    check_functions(model, checker);
    onnx::GraphProto &graph = *model.mutable_graph();
    ValueNames values(graph, nullptr);
    checker.check(*graph.mutable_node(), values, opset, /*in_function=*/false);
    model.clear_training_info();
    std::unordered_set<std::string> outputs;
    for (const onnx::ValueInfoProto &output : graph.output()) {
        values.hand_out(output.name(), "graph output");
        if (!outputs.insert(output.name()).second) {
            throw Error("graph output '" + output.name() + "' is listed twice");
        }
    }
}

}  // namespace emulsion
