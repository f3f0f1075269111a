#include "frontend/onnx/result_types.h"

#include "frontend/onnx/tensor_data.h"

namespace emulsion {

namespace {

constexpr const char *kWithFixedSizes =
    "give the operands that sizes depend on as constants: export the model for inputs of a fixed size";

// `inferred`, completed by `declared` where it leaves something open.
onnx::TypeProto merged(const onnx::TypeProto &inferred, const onnx::TypeProto &declared,
                       const std::string &what) {
    if (inferred.value_case() == onnx::TypeProto::VALUE_NOT_SET) {
        return declared;
    }
    if (!inferred.has_tensor_type() || !declared.has_tensor_type()) {
        return inferred;
    }
    onnx::TypeProto result = inferred;
    auto &type = *result.mutable_tensor_type();
    const auto &other = declared.tensor_type();
    if (type.elem_type() == onnx::TensorProto::UNDEFINED) {
        type.set_elem_type(other.elem_type());
    }
    if (other.elem_type() != onnx::TensorProto::UNDEFINED &&
        other.elem_type() != type.elem_type()) {
        throw Error("the model declares another element type for " + what + " than it has");
    }
    if (!other.has_shape()) {
        return result;
    }
    if (!type.has_shape()) {
        *type.mutable_shape() = other.shape();
    }
    if (type.shape().dim_size() != other.shape().dim_size()) {
        throw Error("the model declares the rank " + std::to_string(other.shape().dim_size()) +
                    " for " + what + ", which has the rank " +
                    std::to_string(type.shape().dim_size()));
    }
    for (int axis = 0; axis < type.shape().dim_size(); ++axis) {
        auto &dim = *type.mutable_shape()->mutable_dim(axis);
        const auto &other_dim = other.shape().dim(axis);
        if (!dim.has_dim_value()) {
            dim = other_dim;
        } else if (other_dim.has_dim_value() && other_dim.dim_value() != dim.dim_value()) {
            throw Error("the model declares the size " + std::to_string(other_dim.dim_value()) +
                        " for axis " + std::to_string(axis) + " of " + what +
                        ", which has the size " + std::to_string(dim.dim_value()));
        }
    }
    return result;
}

}  // namespace

ResultTypes::ResultTypes(const onnx::GraphProto &graph, const LoadLimits &limits)
    : limits_(limits) {
    for (const auto *list : {&graph.value_info(), &graph.output()}) {
        for (const onnx::ValueInfoProto &value : *list) {
            declared_[value.name()] = &value.type();
        }
    }
}

Tensor ResultTypes::input(const onnx::ValueInfoProto &proto) const {
    Tensor tensor = make(proto.type(), proto.name(), "graph input '" + proto.name() + "'");
    require_elements(tensor);
    return tensor;
}

Tensor ResultTypes::result(const onnx::TypeProto &type, const std::string &name,
                           bool declared) const {
    const std::string what = "output '" + name + "'";
    const auto found = declared_.find(name);
    return make(declared && found != declared_.end() ? merged(type, *found->second, what) : type,
                name, what);
}

void ResultTypes::require_elements(const Tensor &tensor) {
    for (size_t axis = 0; axis < tensor.shape.size(); ++axis) {
        if (tensor.shape[axis] == Dim(0)) {
            throw Error("'" + tensor.name + "' has no elements, for its axis " +
                        std::to_string(axis) + " has the size 0");
        }
    }
}

Tensor ResultTypes::make(const onnx::TypeProto &type, const std::string &name,
                         const std::string &what) const {
    if (type.value_case() == onnx::TypeProto::VALUE_NOT_SET) {
        throw Error("the type of " + what + " can't be inferred");
    }
    if (!type.has_tensor_type()) {
        throw Error(what + " is no dense tensor; only dense tensors are supported");
    }
    const auto &dense = type.tensor_type();
    Tensor tensor;
    tensor.name = name;
    tensor.type = data_type_of(dense.elem_type(), what);
    if (!dense.has_shape()) {
        throw Error("the rank of " + what + " can't be known before it is computed")
            .with_remedy(kWithFixedSizes);
    }
    for (int axis = 0; axis < dense.shape().dim_size(); ++axis) {
        if (!dense.shape().dim(axis).has_dim_value()) {
            throw Error("the size of axis " + std::to_string(axis) + " of " + what +
                        " can't be known before it is computed")
                .with_remedy(kWithFixedSizes);
        }
        tensor.shape.emplace_back(dense.shape().dim(axis).dim_value());
    }
    check_shape(tensor.shape, limits_, what);
    return tensor;
}

}  // namespace emulsion
