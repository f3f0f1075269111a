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
#include "frontend/onnx/unique_names.h"
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
    const auto refuse = [&](const std::string &what, const std::string &remedy = "") {
        throw Error("attribute '" + attribute.name() + "' " + what, place).with_remedy(remedy);
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
            refuse("is a graph: control flow is not supported", kWithoutControlFlow);
        }
        return;
    case onnx::AttributeProto::GRAPHS:
        refuse("is a graph: control flow is not supported", kWithoutControlFlow);
        return;
    default: refuse("has a type that is not supported; numbers, strings and lists of them are");
    }
}

// What is known of a graph, a function or a branch while its nodes are checked.
struct Body {
    ValueNames &values;
    int64_t opset;
    std::string function;  // "" in the model's graph and its branches
    std::string prefix;    // of the nodes' names in messages: "If_3/" in a branch
    int outer_index = -1;  // of the node of the graph or function that the branch is in
};

// The nodes of a graph, a function or a branch, and what is inside them. Where names don't fit together
// nothing more can be said about the file, and an Error is thrown.
class BodyChecker {
public:
    BodyChecker(const onnx::ModelProto &model, const LoadLimits &limits, Refused &refused)
        : functions_(model), limits_(limits), refused_(refused) {}

    void check(google::protobuf::RepeatedPtrField<onnx::NodeProto> &nodes, const Body &body) const {
        for (int i = 0; i < nodes.size(); ++i) {
            check_node(nodes[i], i, body);
        }
    }

private:
    void check_node(onnx::NodeProto &node, int index, const Body &body) const {
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

        ErrorPlace place = place_of(node);
        place.node = body.prefix + place.node;
        place.node_index = body.outer_index < 0 ? index : body.outer_index;
        try {
            check_form(node, body, place);
        } catch (const Error &error) {
            refuse(node, body, error);
        }
        for (const std::string &name : node.input()) {
            body.values.read(name, place);
        }
        check_branches(node, body, place);
        for (const std::string &name : node.output()) {
            body.values.make(name, place);
        }
    }

    // What can be said about a node without looking at others.
    void check_form(const onnx::NodeProto &node, const Body &body, const ErrorPlace &place) const {
        check_operator(node, body.opset, place);
        require_few(node.input_size(), "operands", place);
        require_few(node.output_size(), "results", place);
        for (const onnx::AttributeProto &attribute : node.attribute()) {
            require_printable(attribute.name(), "the name of an attribute", place);
            check_attribute(node, attribute, !body.function.empty(), place);
        }
    }

    void refuse(onnx::NodeProto &node, const Body &body, const Error &error) const {
        if (body.function.empty()) {
            refused_.refuse_node(node, error.place().node_index, error);
        } else {
            refused_.refuse_inner_node(
                node, Error("in function '" + body.function + "', " + error.message(),
                            error.place(), error.kind())
                          .with_remedy(error.remedy()));
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
            throw no_such_domain(node.domain()).with_place(place);
        }
        const onnx::OpSchema *schema =
            onnx::OpSchemaRegistry::Schema(node.op_type(), static_cast<int>(opset), "");
        if (schema == nullptr || (schema->Deprecated() && !has_body(*schema))) {
            throw no_such_operator(node.op_type(), opset).with_place(place);
        }
        if (node.op_type() == "Constant" &&
            (node.attribute_size() != 1 || node.output_size() != 1 || node.input_size() != 0)) {
            throw Error("a Constant needs one value attribute, one output and no input", place);
        }
    }

    void check_branches(onnx::NodeProto &node, const Body &body, const ErrorPlace &place) const {
        if (refused_.holds(node)) {
            return;  // for its graphs, perhaps
        }
        for (onnx::AttributeProto &attribute : *node.mutable_attribute()) {
            if (!attribute.has_g()) {
                continue;
            }
            try {
                onnx::GraphProto &branch = *attribute.mutable_g();
                if (branch.input_size() > 0) {
                    throw Error("attribute '" + attribute.name() + "' has inputs");
                }
                ValueNames inner(branch, &body.values);
                check(*branch.mutable_node(), {inner, body.opset, body.function,
                                               name_prefix(place.node), place.node_index});
                for (const onnx::ValueInfoProto &output : branch.output()) {
                    inner.hand_out(output.name(), "branch output");
                }
            } catch (const Error &error) {
                throw Error(error.message(), place, error.kind()).with_remedy(error.remedy());
            }
        }
    }

    FunctionTable functions_;
    const LoadLimits &limits_;
    Refused &refused_;
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
            checker.check(*function.mutable_node(),
                          {values, imported_opset(function), function.name(), ""});
            for (const std::string &output : function.output()) {
                values.hand_out(output, "result");
            }
        } catch (const Error &error) {
            throw Error("in " + what + ", " + error.message(), error.place(), error.kind())
                .with_remedy(error.remedy());
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

void check_structure(onnx::ModelProto &model, const LoadLimits &limits, Refused &refused) {
    check_model(model, limits);
    const int64_t opset = imported_opset(model);
    const BodyChecker checker(model, limits, refused);
    refused.report().set_nodes(static_cast<size_t>(model.graph().node_size()));
    check_functions(model, checker);
    onnx::GraphProto &graph = *model.mutable_graph();
    ValueNames values(graph, nullptr);
    checker.check(*graph.mutable_node(), {values, opset, "", ""});
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
