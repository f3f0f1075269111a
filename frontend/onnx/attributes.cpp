#include "frontend/onnx/attributes.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "frontend/onnx/loader.h"
#include "frontend/onnx/tensor_data.h"

namespace emulsion {

namespace {

template<typename T>
T first_element(const Tensor &tensor) {
    T value{};
    std::memcpy(&value, tensor.constant->bytes, sizeof(T));
    return value;
}

// Real types as a double, others as an integer (u64 with the same bits).
Attribute number_of(const onnx::AttributeProto &proto) {
    // Without a copy, and only if it is small: a function may read it a million times.
    const std::shared_ptr<const onnx::TensorProto> alias(std::shared_ptr<void>(), &proto.t());
    if (!std::all_of(alias->dims().begin(), alias->dims().end(),
                     [](int64_t extent) { return extent == 1; })) {
        throw Error("attribute '" + proto.name() +
                    "' is a tensor of more or less than one element; accepted is one element");
    }
    ExternalData none("", 0);
    const Tensor tensor = constant_tensor(alias, none, LoadLimits());
    return with_element_type(tensor.type, [&](auto zero) -> Attribute {
        using T = decltype(zero);
        using Number = std::conditional_t<std::is_floating_point_v<T>, double, int64_t>;
        // NOLINTNEXTLINE(bugprone-signed-char-misuse): these are numbers, not characters.
        return static_cast<Number>(first_element<T>(tensor));
    });
}

}  // namespace

void require_operands(const onnx::OpSchema &schema, const BodyNode &node) {
    const auto count = static_cast<int>(node.inputs.size());
    if (count < schema.min_input() || count > schema.max_input()) {
        throw Error("it has " + std::to_string(count) + " operands; ONNX gives it " +
                    std::to_string(schema.min_input()) + " to " +
                    std::to_string(schema.max_input()));
    }
    for (size_t i = 0; i < node.inputs.size(); ++i) {
        const auto &formal = schema.inputs().at(std::min(i, schema.inputs().size() - 1));
        if (node.inputs[i] == kNoTensor && formal.GetOption() != onnx::OpSchema::Optional) {
            throw Error("operand " + std::to_string(i) + " ('" + formal.GetName() +
                        "') is missing");
        }
    }
}

Attributes resolved_attributes(const onnx::NodeProto &node, const Scope &scope) {
    Attributes attributes;
    for (const onnx::AttributeProto &attribute : node.attribute()) {
        if (attribute.ref_attr_name().empty()) {
            attributes[attribute.name()] = &attribute;
        } else if (const auto given = scope.attributes.find(attribute.ref_attr_name());
                   given != scope.attributes.end()) {
            if (attribute.type() != given->second->type()) {
                throw Error("attribute '" + attribute.name() + "' has another type than '" +
                            attribute.ref_attr_name() + "', which it refers to");
            }
            attributes[attribute.name()] = given->second;
        }
    }
    return attributes;
}

Attributes attributes_of_call(const BodyNode &node, const onnx::FunctionProto &function,
                              const onnx::OpSchema *schema) {
    Attributes attributes;
    if (schema != nullptr) {
        for (const auto &[name, attribute] : schema->attributes()) {
            if (attribute.default_value.type() != onnx::AttributeProto::UNDEFINED) {
                attributes[name] = &attribute.default_value;
            }
        }
    }
    for (const onnx::AttributeProto &value : function.attribute_proto()) {
        attributes[value.name()] = &value;
    }
    for (const auto &[name, value] : node.attributes) {
        attributes[name] = value;
    }
    return attributes;
}

void require_attributes(const onnx::OpSchema &schema, const BodyNode &node) {
    for (const auto &[name, attribute] : node.attributes) {
        const auto known = schema.attributes().find(name);
        if (known == schema.attributes().end()) {
            throw Error("it has an attribute '" + name + "', which the operator does not have");
        }
        if (known->second.type != attribute->type()) {
            throw Error("attribute '" + name + "' has another type than ONNX gives it");
        }
    }
    for (const auto &[name, attribute] : schema.attributes()) {
        if (attribute.required && node.attributes.count(name) == 0) {
            throw Error("its attribute '" + name + "' is missing");
        }
    }
    // Shape inference makes a list of that many.
    const auto parts = node.attributes.find("num_outputs");
    if (parts != node.attributes.end() && parts->second->i() != node.proto->output_size()) {
        throw Error("attribute 'num_outputs' is " + std::to_string(parts->second->i()) +
                    ", but it has " + std::to_string(node.proto->output_size()) + " results");
    }
}

Attribute attribute_of(const onnx::AttributeProto &proto) {
    switch (proto.type()) {
    case onnx::AttributeProto::INT: return proto.i();
    case onnx::AttributeProto::FLOAT: return static_cast<double>(proto.f());
    case onnx::AttributeProto::STRING: return proto.s();
    case onnx::AttributeProto::INTS:
        return std::vector<int64_t>(proto.ints().begin(), proto.ints().end());
    case onnx::AttributeProto::FLOATS:
        return std::vector<double>(proto.floats().begin(), proto.floats().end());
    case onnx::AttributeProto::STRINGS:
        return std::vector<std::string>(proto.strings().begin(), proto.strings().end());
    case onnx::AttributeProto::TENSOR: return number_of(proto);
    case onnx::AttributeProto::GRAPH:
        throw Error("attribute '" + proto.name() + "' is a graph: control flow is not supported");
    default: throw Error("attribute '" + proto.name() + "' has a type that is not supported");
    }
}

}  // namespace emulsion
