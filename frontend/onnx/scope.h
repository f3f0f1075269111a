// What names stand for while the importer is in a graph, a function or a branch.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "frontend/graph/graph.h"

namespace onnx {
class AttributeProto;
}

namespace emulsion {

// Stands for a value that there is no tensor of: a node that was refused makes it.
constexpr TensorId kUnknown = -2;

struct Scope {
    const Scope *outer = nullptr;  // of a branch: the scope whose values it may read too
    std::unordered_map<std::string, TensorId> values;
    // Of a function: the attributes that its nodes may refer to.
    std::map<std::string, const onnx::AttributeProto *> attributes;
    int64_t opset = 0;                  // of ai.onnx
    std::string prefix;                 // of names: "call/" in a function, "" in the model's graph
    int index = -1;                     // of the node of the model's graph that leads here
    std::shared_ptr<const void> owner;  // of the protobuf objects of this body

    bool is_main() const { return index < 0; }
    // Whether the model's weights can be read here: in its graph and in the branches of that.
    bool reaches_main() const { return outer == nullptr ? is_main() : outer->reaches_main(); }
    // The tensor of this name here or further out, if there is one.
    std::optional<TensorId> find(const std::string &name) const {
        for (const Scope *scope = this; scope != nullptr; scope = scope->outer) {
            if (const auto found = scope->values.find(name); found != scope->values.end()) {
                return found->second;
            }
        }
        return {};
    }
};

}  // namespace emulsion
