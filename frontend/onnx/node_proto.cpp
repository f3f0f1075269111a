#include "frontend/onnx/node_proto.h"

#include <onnx/defs/schema.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <variant>

#include "frontend/onnx/tensor_data.h"

namespace emulsion {

namespace {

const onnx::OpSchema *schema_of(const Node &node, int64_t opset) {
    return onnx::OpSchemaRegistry::Schema(node.operator_type, static_cast<int>(opset), node.domain);
}

template<typename T>
std::string bytes_of(T value) {
    std::string bytes(sizeof(T), '\0');
    std::memcpy(bytes.data(), &value, sizeof(T));
    return bytes;
}

// The number as an element of `type`; integers and truth values are little-endian, so their first
// bytes are those of the same number in a narrower type.
std::string element(const Attribute &number, DataType type) {
    if (const double *real = std::get_if<double>(&number)) {
        return type == DataType::F64 ? bytes_of(*real) : bytes_of(static_cast<float>(*real));
    }
    const std::string bytes = bytes_of(std::get<int64_t>(number));
    return bytes.substr(0, static_cast<size_t>(size_of(type)));
}

// The graph has tensors of one element as numbers, and what they are for has their type.
void set_tensor(onnx::TensorProto &tensor, const Attribute &number, DataType type) {
    tensor.set_data_type(onnx_type_of(type));
    tensor.add_dims(1);
    tensor.set_raw_data(element(number, type));
}

void set_value(onnx::AttributeProto &proto, const Attribute &attribute, DataType result) {
    switch (proto.type()) {
    case onnx::AttributeProto::INT: proto.set_i(std::get<int64_t>(attribute)); break;
    case onnx::AttributeProto::FLOAT:
        proto.set_f(static_cast<float>(std::get<double>(attribute)));
        break;
    case onnx::AttributeProto::STRING: proto.set_s(std::get<std::string>(attribute)); break;
    case onnx::AttributeProto::TENSOR: set_tensor(*proto.mutable_t(), attribute, result); break;
    case onnx::AttributeProto::INTS:
        for (const int64_t value : std::get<std::vector<int64_t>>(attribute)) {
            proto.add_ints(value);
        }
        break;
    case onnx::AttributeProto::FLOATS:
        for (const double value : std::get<std::vector<double>>(attribute)) {
            proto.add_floats(static_cast<float>(value));
        }
        break;
    case onnx::AttributeProto::STRINGS:
        for (const std::string &value : std::get<std::vector<std::string>>(attribute)) {
            proto.add_strings(value);
        }
        break;
    default: break;  // is_expressible refuses graphs and the like
    }
}

// Whether an attribute of ONNX's `type` can hold what the graph has.
bool fits(onnx::AttributeProto::AttributeType type, const Attribute &attribute) {
    switch (type) {
    case onnx::AttributeProto::INT: return std::holds_alternative<int64_t>(attribute);
    case onnx::AttributeProto::FLOAT: return std::holds_alternative<double>(attribute);
    case onnx::AttributeProto::STRING: return std::holds_alternative<std::string>(attribute);
    case onnx::AttributeProto::INTS: return std::holds_alternative<std::vector<int64_t>>(attribute);
    case onnx::AttributeProto::FLOATS:
        return std::holds_alternative<std::vector<double>>(attribute);
    case onnx::AttributeProto::STRINGS:
        return std::holds_alternative<std::vector<std::string>>(attribute);
    case onnx::AttributeProto::TENSOR:
        return std::holds_alternative<int64_t>(attribute) ||
               std::holds_alternative<double>(attribute);
    default: return false;
    }
}

bool is_optional_result(const onnx::OpSchema &schema, size_t index) {
    const auto &results = schema.outputs();
    return index < results.size() && results[index].GetOption() == onnx::OpSchema::Optional;
}

}  // namespace

bool is_expressible(const Node &node, int64_t opset) {
    const onnx::OpSchema *schema = schema_of(node, opset);
    return schema != nullptr && !schema->Deprecated() &&
           std::all_of(node.attributes.begin(), node.attributes.end(), [&](const auto &attribute) {
               const auto known = schema->attributes().find(attribute.first);
               return known != schema->attributes().end() &&
                      fits(known->second.type, attribute.second);
           });
}

onnx::NodeProto node_proto(const Graph &graph, const Node &node, int64_t opset,
                           UnusedNames &names) {
    const onnx::OpSchema &schema = *schema_of(node, opset);
    onnx::NodeProto proto;
    proto.set_name(node.name);
    proto.set_op_type(node.operator_type);
    proto.set_domain(node.domain);
    for (const TensorId id : node.inputs) {
        proto.add_input(id == kNoTensor ? "" : graph.tensor(id).name);
    }
    for (size_t i = 0; i < node.outputs.size(); ++i) {
        const TensorId id = node.outputs[i];
        const bool left_out = id == kNoTensor && is_optional_result(schema, i);
        proto.add_output(left_out          ? ""
                         : id == kNoTensor ? names.make(node.name + ".unused")
                                           : graph.tensor(id).name);
    }
    const DataType result = graph.tensor(node.result()).type;
    for (const auto &[name, value] : node.attributes) {
        onnx::AttributeProto &attribute = *proto.add_attribute();
        attribute.set_name(name);
        attribute.set_type(schema.attributes().at(name).type);
        set_value(attribute, value, result);
    }
    return proto;
}

}  // namespace emulsion
