#include "frontend/onnx/constants.h"

#include <onnx/onnx_pb.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "frontend/onnx/messages.h"

namespace emulsion {

namespace {

// The value of a Constant as an initializer. False, and `node` is as it was, where that is refused.
bool add_initializer(onnx::GraphProto &graph, onnx::NodeProto &node, Refused &refused) {
    onnx::AttributeProto &attribute = *node.mutable_attribute(0);
    onnx::TensorProto tensor;
    if (attribute.name() == "value" && attribute.has_t()) {
        tensor = std::move(*attribute.mutable_t());
    } else {
        try {
            tensor = *constant_value(attribute.name(), attribute, nullptr, place_of(node));
        } catch (const Error &error) {
            refused.refuse_node(node, index_of(node), error);
            return false;
        }
    }
    tensor.set_name(node.output(0));
    *graph.add_initializer() = std::move(tensor);
    return true;
}

}  // namespace

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

void constants_to_initializers(onnx::GraphProto &graph, Refused &refused) {
    std::vector<onnx::NodeProto *> nodes(static_cast<size_t>(graph.node_size()));
    graph.mutable_node()->ExtractSubrange(0, graph.node_size(), nodes.data());
    for (onnx::NodeProto *node : nodes) {
        std::unique_ptr<onnx::NodeProto> owner(node);
        const bool constant = node->op_type() == "Constant" && node->domain().empty();
        if (!constant || refused.holds(*node) || !add_initializer(graph, *node, refused)) {
            graph.mutable_node()->AddAllocated(owner.release());  // others know its address
        }
    }
}

}  // namespace emulsion
