#include "frontend/onnx/constants.h"

#include <onnx/onnx_pb.h>

#include <string>
#include <unordered_set>
#include <utility>

#include "frontend/onnx/messages.h"

namespace emulsion {

namespace {

// The value of a Constant node, without a name.
onnx::TensorProto constant_value(onnx::NodeProto &node, const ErrorPlace &place) {
    if (node.attribute_size() != 1 || node.output_size() != 1 || node.input_size() != 0) {
        throw Error("a Constant needs one value attribute, one output and no input", place);
    }
    onnx::AttributeProto &attribute = *node.mutable_attribute(0);
    onnx::TensorProto value;
    if (attribute.name() == "value" && attribute.has_t()) {
        value = std::move(*attribute.mutable_t());
    } else if (attribute.name() == "value_float") {
        value.set_data_type(onnx::TensorProto::FLOAT);
        value.add_float_data(attribute.f());
    } else if (attribute.name() == "value_floats") {
        value.set_data_type(onnx::TensorProto::FLOAT);
        value.add_dims(attribute.floats_size());
        *value.mutable_float_data() = attribute.floats();
    } else if (attribute.name() == "value_int") {
        value.set_data_type(onnx::TensorProto::INT64);
        value.add_int64_data(attribute.i());
    } else if (attribute.name() == "value_ints") {
        value.set_data_type(onnx::TensorProto::INT64);
        value.add_dims(attribute.ints_size());
        *value.mutable_int64_data() = attribute.ints();
    } else {
        throw Error("attribute '" + attribute.name() +
                        "' is not supported; value, value_float, value_floats, value_int and "
                        "value_ints are",
                    place);
    }
    return value;
}

}  // namespace

void constants_to_initializers(onnx::GraphProto &graph) {
    std::unordered_set<std::string> outputs;
    for (const onnx::ValueInfoProto &output : graph.output()) {
        outputs.insert(output.name());
    }
    google::protobuf::RepeatedPtrField<onnx::NodeProto> nodes;
    nodes.Swap(graph.mutable_node());
    for (onnx::NodeProto &node : nodes) {
        if (node.op_type() == "Constant") {
            onnx::TensorProto &tensor = *graph.add_initializer();
            tensor = constant_value(node, place_of(node));
            tensor.set_name(node.output(0));
            if (outputs.count(node.output(0)) == 0) {
                continue;
            }
            tensor.set_name(node.output(0) + ".value");
            node.set_op_type("Identity");
            node.clear_attribute();
            node.add_input(tensor.name());
        }
        *graph.add_node() = std::move(node);
    }
}

}  // namespace emulsion
