#include "frontend/onnx/function_body.h"

#include <exception>
#include <new>
#include <utility>
#include <vector>

#include "frontend/onnx/infer_types.h"
#include "frontend/onnx/messages.h"
#include "frontend/onnx/structure.h"

namespace emulsion {

namespace {

class BodyTypes final : public onnx::FunctionBodyBuildContext {
public:
    BodyTypes(const BodyNode &node, const Graph &graph) : node_(node), types_(node.inputs.size()) {
        for (size_t i = 0; i < node.inputs.size(); ++i) {
            if (node.inputs[i] != kNoTensor) {
                types_[i] =
                    std::make_unique<onnx::TypeProto>(type_of(graph.tensor(node.inputs[i])));
            }
        }
    }

    const onnx::AttributeProto *getAttribute(const std::string &name) const override {
        return node_.attribute(name);
    }
    bool hasInput(int index) const override { return getInputType(index) != nullptr; }
    bool hasOutput(int index) const override {
        return index >= 0 && index < node_.proto->output_size() &&
               !node_.proto->output(index).empty();
    }
    const onnx::TypeProto *getInputType(int index) const override {
        return index >= 0 && static_cast<size_t>(index) < types_.size()
                   ? types_[static_cast<size_t>(index)].get()
                   : nullptr;
    }

private:
    const BodyNode &node_;
    std::vector<std::unique_ptr<onnx::TypeProto>> types_;
};

}  // namespace

FunctionTable::FunctionTable(const onnx::ModelProto &model) {
    for (const onnx::FunctionProto &function : model.functions()) {
        const Key key = {default_domain(function.domain()), function.name(), function.overload()};
        if (!functions_.emplace(key, &function).second) {
            throw Error("function '" + function.name() + "' is defined twice");
        }
    }
}

const onnx::FunctionProto *FunctionTable::find(const onnx::NodeProto &node) const {
    const auto found =
        functions_.find({default_domain(node.domain()), node.op_type(), node.overload()});
    return found == functions_.end() ? nullptr : found->second;
}

int64_t imported_opset(const onnx::FunctionProto &function) {
    for (const onnx::OperatorSetIdProto &opset : function.opset_import()) {
        if (default_domain(opset.domain()).empty()) {
            return opset.version();
        }
    }
    return 0;
}

bool has_body(const onnx::OpSchema &schema) {
    return schema.HasFunction() || schema.HasContextDependentFunction();
}

std::shared_ptr<const onnx::FunctionProto> schema_body(const onnx::OpSchema &schema,
                                                       const BodyNode &node, const Graph &graph) {
    const int opset = static_cast<int>(node.opset);
    if (schema.HasContextDependentFunction()) {
        auto body = std::make_shared<onnx::FunctionProto>();
        try {
            if (schema.BuildContextDependentFunction(BodyTypes(node, graph), *body, opset)) {
                return body;
            }
        } catch (const std::bad_alloc &) {
            throw;
        } catch (const std::exception &error) {
            throw Error("the body that ONNX defines it by can't be made: " +
                            one_sentence(error.what()),
                        node.place);
        }
    }
    if (!schema.HasFunction()) {
        return nullptr;
    }
    const onnx::FunctionProto *body = schema.GetFunction(opset);
    return {std::shared_ptr<const void>(), body};  // lives as long as the program
}

}  // namespace emulsion
