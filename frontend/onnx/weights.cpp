#include "frontend/onnx/weights.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <memory>
#include <unordered_map>
#include <utility>

#include "frontend/onnx/constants.h"
#include "frontend/onnx/tensor_data.h"

namespace emulsion {

namespace {

// The graph input `input` declares nothing else than `tensor` has.
void check_declaration(const onnx::ValueInfoProto &input, const onnx::TensorProto &tensor) {
    if (!input.type().has_tensor_type()) {
        return;
    }
    const auto &type = input.type().tensor_type();
    bool equal = type.elem_type() == 0 || type.elem_type() == tensor.data_type();
    if (type.has_shape()) {
        equal = equal && type.shape().dim_size() == tensor.dims_size();
        for (int i = 0; equal && i < tensor.dims_size(); ++i) {
            const auto &dim = type.shape().dim(i);
            equal = !dim.has_dim_value() || dim.dim_value() == tensor.dims(i);
        }
    }
    if (!equal) {
        throw Error("initializer '" + tensor.name() +
                    "' has another type or shape than the graph input of this name");
    }
}

// Whether the tensor graph can hold it. Data that don't fit the type are damage and not asked for here.
bool has_supported_type(const onnx::TensorProto &proto, const LoadLimits &limits,
                        Refused &refused) {
    try {
        require_supported_type(proto, limits);
        return true;
    } catch (const Error &error) {
        refused.refuse_value(proto.name(), error);
        return false;
    }
}

void declare(onnx::ValueInfoProto &input, const onnx::TensorProto &tensor) {
    input.set_name(tensor.name());
    auto &type = *input.mutable_type()->mutable_tensor_type();
    type.set_elem_type(tensor.data_type());
    type.clear_shape();
    type.mutable_shape();  // present even for a scalar
    for (const int64_t extent : tensor.dims()) {
        type.mutable_shape()->add_dim()->set_dim_value(extent);
    }
}

}  // namespace

Weights take_weights(onnx::ModelProto &model, ExternalData &external, const LoadLimits &limits,
                     Refused &refused) {
    onnx::GraphProto &graph = *model.mutable_graph();
    constants_to_initializers(graph, refused);
    std::unordered_map<std::string, onnx::ValueInfoProto *> inputs;
    for (onnx::ValueInfoProto &input : *graph.mutable_input()) {
        inputs.emplace(input.name(), &input);
    }

    google::protobuf::RepeatedPtrField<onnx::TensorProto> all;
    all.Swap(graph.mutable_initializer());
    Weights weights;
    for (onnx::TensorProto &initializer : all) {
        const auto proto = std::make_shared<const onnx::TensorProto>(std::move(initializer));
        const auto input = inputs.find(proto->name());
        if (input != inputs.end()) {
            check_declaration(*input->second, *proto);
        }
        declare(input != inputs.end() ? *input->second : *graph.add_input(), *proto);
        if (has_supported_type(*proto, limits, refused)) {
            weights.emplace(proto->name(), constant_tensor(proto, external, limits));
        }
    }
    // Since version 4 of the format an initializer need not be an input as well, and it still may be.
    model.set_ir_version(std::max<int64_t>(model.ir_version(), 4));
    return weights;
}

}  // namespace emulsion
