// Attributes of the nodes that the zoo writes.
#pragma once

#include <onnx/onnx_pb.h>

#include <functional>
#include <numeric>
#include <string>
#include <vector>

namespace emulsion {

inline int64_t product(const std::vector<int64_t> &shape) {
    return std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>());
}

inline onnx::AttributeProto &add_attribute(onnx::NodeProto &node, const std::string &name,
                                           onnx::AttributeProto::AttributeType type) {
    onnx::AttributeProto &attribute = *node.add_attribute();
    attribute.set_name(name);
    attribute.set_type(type);
    return attribute;
}

inline void set_integer(onnx::NodeProto &node, const std::string &name, int64_t value) {
    add_attribute(node, name, onnx::AttributeProto::INT).set_i(value);
}

inline void set_float(onnx::NodeProto &node, const std::string &name, float value) {
    add_attribute(node, name, onnx::AttributeProto::FLOAT).set_f(value);
}

inline void set_string(onnx::NodeProto &node, const std::string &name, const std::string &value) {
    add_attribute(node, name, onnx::AttributeProto::STRING).set_s(value);
}

// `count` times the same value.
inline void set_integers(onnx::NodeProto &node, const std::string &name, int count, int64_t value) {
    onnx::AttributeProto &attribute = add_attribute(node, name, onnx::AttributeProto::INTS);
    for (int i = 0; i < count; ++i) {
        attribute.add_ints(value);
    }
}

}  // namespace emulsion
