#include "frontend/onnx/constants.h"

#include <onnx/onnx_pb.h>

#include <string>
#include <utility>

#include "frontend/onnx/messages.h"

namespace emulsion {

std::shared_ptr<const onnx::TensorProto> constant_value(const std::string &name,
                                                        const onnx::AttributeProto &attribute,
                                                        const std::shared_ptr<const void> &owner,
                                                        const ErrorPlace &place) {
    if (name == "value" && attribute.has_t()) {
        return {owner, &attribute.t()};
    }
    auto value = std::make_shared<onnx::TensorProto>();
    if (name == "value_float") {
        value->set_data_type(onnx::TensorProto::FLOAT);
        value->add_float_data(attribute.f());
    } else if (name == "value_floats") {
        value->set_data_type(onnx::TensorProto::FLOAT);
        value->add_dims(attribute.floats_size());
        *value->mutable_float_data() = attribute.floats();
    } else if (name == "value_int") {
        value->set_data_type(onnx::TensorProto::INT64);
        value->add_int64_data(attribute.i());
    } else if (name == "value_ints") {
        value->set_data_type(onnx::TensorProto::INT64);
        value->add_dims(attribute.ints_size());
        *value->mutable_int64_data() = attribute.ints();
    } else {
        throw Error("attribute '" + name +
                        "' is not supported; value, value_float, value_floats, value_int and "
                        "value_ints are",
                    place);
    }
    return value;
}

void constants_to_initializers(onnx::GraphProto &graph) {
    google::protobuf::RepeatedPtrField<onnx::NodeProto> nodes;
    nodes.Swap(graph.mutable_node());
    for (onnx::NodeProto &node : nodes) {
        if (node.op_type() != "Constant" || !node.domain().empty()) {
            *graph.add_node() = std::move(node);
            continue;
        }
        onnx::TensorProto &tensor = *graph.add_initializer();
        onnx::AttributeProto &attribute = *node.mutable_attribute(0);
        if (attribute.name() == "value" && attribute.has_t()) {
            tensor = std::move(*attribute.mutable_t());
        } else {
            tensor = *constant_value(attribute.name(), attribute, nullptr, place_of(node));
        }
        tensor.set_name(node.output(0));
    }
}

}  // namespace emulsion
