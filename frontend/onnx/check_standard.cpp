#include "frontend/onnx/check_standard.h"

#include <onnx/checker.h>
#include <onnx/defs/schema.h>
#include <onnx/onnx_pb.h>

#include <exception>
#include <new>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "frontend/onnx/messages.h"
#include "frontend/onnx/structure.h"

namespace emulsion {

namespace {

constexpr const char *kComplaint = "it breaks the ONNX standard";

// Nodes that the checker must not look at are in a domain of their own meanwhile, without attributes: those
// that are refused already, and operators that a later opset has given another meaning
// (GroupNormalization of opset 18), of which those that have a body are well defined.
class HiddenNodes {
public:
    HiddenNodes(onnx::ModelProto &model, const Refused &refused) : model_(model) {
        for (onnx::NodeProto *node : refused.nodes()) {
            hide(*node);
        }
        const auto opset = static_cast<int>(imported_opset(model));
        for (onnx::NodeProto &node : *model.mutable_graph()->mutable_node()) {
            const onnx::OpSchema *schema =
                onnx::OpSchemaRegistry::Schema(node.op_type(), opset, "");
            if (node.domain().empty() && schema != nullptr && schema->Deprecated()) {
                hide(node);
            }
        }
        import(*model.mutable_opset_import());
        for (onnx::FunctionProto &function : *model.mutable_functions()) {
            import(*function.mutable_opset_import());
        }
    }
    ~HiddenNodes() {
        model_.mutable_opset_import()->RemoveLast();
        for (onnx::FunctionProto &function : *model_.mutable_functions()) {
            function.mutable_opset_import()->RemoveLast();
        }
        for (Hidden &hidden : nodes_) {
            hidden.node->set_domain(hidden.domain);
            hidden.node->mutable_attribute()->Swap(&hidden.attributes);
        }
    }
    HiddenNodes(const HiddenNodes &) = delete;
    HiddenNodes &operator=(const HiddenNodes &) = delete;

private:
    static constexpr const char *kDomain = "emulsion.unchecked";

    struct Hidden {
        onnx::NodeProto *node;
        std::string domain;
        google::protobuf::RepeatedPtrField<onnx::AttributeProto> attributes;
    };

    void hide(onnx::NodeProto &node) {
        if (node.domain() == kDomain) {
            return;
        }
        nodes_.push_back({&node, node.domain(), {}});
        node.set_domain(kDomain);
        node.mutable_attribute()->Swap(&nodes_.back().attributes);
    }

    static void import(google::protobuf::RepeatedPtrField<onnx::OperatorSetIdProto> &opsets) {
        onnx::OperatorSetIdProto &opset = *opsets.Add();
        opset.set_domain(kDomain);
        opset.set_version(1);
    }

    onnx::ModelProto &model_;
    std::vector<Hidden> nodes_;
};

// The checker wants types for outputs; they are inferred here.
class WithoutOutputs {
public:
    explicit WithoutOutputs(onnx::GraphProto &graph) : graph_(graph) {
        outputs_.Swap(graph_.mutable_output());
    }
    ~WithoutOutputs() { outputs_.Swap(graph_.mutable_output()); }
    WithoutOutputs(const WithoutOutputs &) = delete;
    WithoutOutputs &operator=(const WithoutOutputs &) = delete;

private:
    onnx::GraphProto &graph_;
    google::protobuf::RepeatedPtrField<onnx::ValueInfoProto> outputs_;
};

// What `check` complains about; "" if it does not.
template<typename Check>
std::string complaint_of(const Check &check) {
    try {
        check();
    } catch (const std::bad_alloc &) {
        throw;
    } catch (const std::exception &error) {
        const std::string text = error.what();
        return text.empty() ? "it does not say what is wrong" : text;
    }
    return "";
}

std::string complaint_about(onnx::ModelProto &model, const Refused &refused) {
    const HiddenNodes hidden(model, refused);
    return complaint_of([&] { onnx::checker::check_model(model); });
}

// Every node of the model's graph on its own: the checker stops at the first complaint.
void refuse_nodes(onnx::ModelProto &model, Refused &refused) {
    const HiddenNodes hidden(model, refused);
    onnx::checker::CheckerContext context;
    onnx::checker::LexicalScopeContext names;
    context.set_ir_version(static_cast<int>(model.ir_version()));
    std::unordered_map<std::string, int> opsets;
    for (const onnx::OperatorSetIdProto &opset : model.opset_import()) {
        opsets[opset.domain()] = static_cast<int>(opset.version());
    }
    context.set_opset_imports(opsets);
    for (const onnx::ValueInfoProto &input : model.graph().input()) {
        names.add(input.name());
    }
    std::vector<std::pair<onnx::NodeProto *, std::string>> found;
    for (onnx::NodeProto &node : *model.mutable_graph()->mutable_node()) {
        std::string text = complaint_of([&] { onnx::checker::check_node(node, context, names); });
        if (!text.empty()) {
            found.emplace_back(&node, std::move(text));
        }
        for (const std::string &output : node.output()) {
            names.add(output);
        }
    }
    for (const auto &[node, text] : found) {
        refused.refuse_node(
            *node, index_of(*node),
            Error(std::string(kComplaint) + ": " + one_sentence(text), place_of(*node)));
    }
}

}  // namespace

void check_standard(onnx::ModelProto &model, Refused &refused) {
    const WithoutOutputs without(*model.mutable_graph());
    std::string text = complaint_about(model, refused);
    if (text.empty()) {
        return;
    }
    refuse_nodes(model, refused);
    text = complaint_about(model, refused);
    if (!text.empty()) {
        throw complaint(kComplaint, text, model.graph());
    }
}

}  // namespace emulsion
