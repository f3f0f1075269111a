#include "frontend/onnx/infer_types.h"

#include <onnx/shape_inference/implementation.h>

#include <exception>
#include <memory>
#include <new>

#include "frontend/onnx/messages.h"
#include "frontend/onnx/tensor_data.h"

namespace emulsion {

namespace {

std::unique_ptr<onnx::TensorProto> small_value(const Tensor &tensor) {
    if (!tensor.is_constant() || tensor.constant->size > kLargestShapeValue) {
        return nullptr;
    }
    auto proto = std::make_unique<onnx::TensorProto>();
    proto->set_data_type(onnx_type_of(tensor.type));
    for (const int64_t extent : tensor.extents()) {
        proto->add_dims(extent);
    }
    proto->set_raw_data(tensor.constant->bytes, tensor.constant->size);
    return proto;
}

class NodeTypes final : public onnx::InferenceContext {
public:
    NodeTypes(const BodyNode &node, const Graph &graph)
        : node_(node), types_(node.inputs.size()), values_(node.inputs.size()) {
        for (size_t i = 0; i < node.inputs.size(); ++i) {
            if (node.inputs[i] != kNoTensor) {
                const Tensor &tensor = graph.tensor(node.inputs[i]);
                types_[i] = std::make_unique<onnx::TypeProto>(type_of(tensor));
                values_[i] = small_value(tensor);
            }
        }
        results_.resize(static_cast<size_t>(node.proto->output_size()));
    }

    const onnx::AttributeProto *getAttribute(const std::string &name) const override {
        return node_.attribute(name);
    }
    size_t getNumInputs() const override { return types_.size(); }
    const onnx::TypeProto *getInputType(size_t index) const override {
        return index < types_.size() ? types_[index].get() : nullptr;
    }
    const onnx::TensorProto *getInputData(size_t index) const override {
        return index < values_.size() ? values_[index].get() : nullptr;
    }
    size_t getNumOutputs() const override { return results_.size(); }
    onnx::TypeProto *getOutputType(size_t index) override {
        return index < results_.size() ? &results_[index] : nullptr;
    }
    onnx::GraphInferencer *getGraphAttributeInferencer(const std::string &) override {
        return nullptr;
    }
    const onnx::SparseTensorProto *getInputSparseData(size_t) const override { return nullptr; }
    const onnx::TensorShapeProto *getSymbolicInput(size_t) const override { return nullptr; }
    std::string getDisplayName() const override { return node_.place.node; }

    std::vector<onnx::TypeProto> results() { return std::move(results_); }

private:
    const BodyNode &node_;
    std::vector<std::unique_ptr<onnx::TypeProto>> types_;
    std::vector<std::unique_ptr<onnx::TensorProto>> values_;
    std::vector<onnx::TypeProto> results_;
};

// Some definitions leave the types to their body. From those of normalizations inference can't tell that
// the result is like the operand.
void infer_through_body(const onnx::OpSchema &schema, NodeTypes &context) {
    if (schema.Name() == "GroupNormalization" || schema.Name() == "MeanVarianceNormalization") {
        onnx::propagateShapeAndTypeFromFirstInput(context);
    } else if (schema.HasFunction()) {
        onnx::shape_inference::InferShapeForFunctionNode(
            *schema.GetFunction(), onnx::OpSchemaRegistry::Instance(), context);
    }
}

}  // namespace

onnx::TypeProto type_of(const Tensor &tensor) {
    onnx::TypeProto type;
    auto &dense = *type.mutable_tensor_type();
    dense.set_elem_type(onnx_type_of(tensor.type));
    dense.mutable_shape();  // present even for a scalar
    for (const int64_t extent : tensor.extents()) {
        dense.mutable_shape()->add_dim()->set_dim_value(extent);
    }
    return type;
}

std::vector<onnx::TypeProto> infer_types(const onnx::OpSchema &schema, const BodyNode &node,
                                         const Graph &graph) {
    NodeTypes context(node, graph);
    try {
        if (schema.has_type_and_shape_inference_function()) {
            schema.GetTypeAndShapeInferenceFunction()(context);
        } else {
            infer_through_body(schema, context);
        }
        schema.CheckInputOutputType(context);
    } catch (const std::bad_alloc &) {
        throw;
    } catch (const std::exception &error) {
        throw Error("types or shapes do not fit: " + one_sentence(error.what()), node.place);
    }
    return context.results();
}

}  // namespace emulsion
