// A node as the importer sees it: in its place in the model, in a function or in a branch, with the
// names of values resolved to tensors and the attributes of a function's call in their places.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "frontend/graph/graph.h"

namespace onnx {
class AttributeProto;
class NodeProto;
}  // namespace onnx

namespace emulsion {

struct BodyNode {
    const onnx::NodeProto *proto = nullptr;
    std::shared_ptr<const void> owner;  // keeps `proto` and the attributes alive
    std::map<std::string, const onnx::AttributeProto *> attributes;
    std::vector<TensorId> inputs;  // kNoTensor for an operand that is absent
    int64_t opset = 0;             // of ai.onnx, in the body that the node stands in
    ErrorPlace place;              // the name says which calls lead to the node: "call/inner"

    const onnx::AttributeProto *attribute(const std::string &name) const {
        const auto found = attributes.find(name);
        return found == attributes.end() ? nullptr : found->second;
    }
};

}  // namespace emulsion
