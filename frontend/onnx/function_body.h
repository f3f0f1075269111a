// Operators that are defined by others: functions of the model, and those of ONNX's operators whose
// definition has a body.
#pragma once

#include <onnx/defs/schema.h>

#include <map>
#include <memory>
#include <string>
#include <tuple>

#include "frontend/graph/graph.h"
#include "frontend/onnx/body_node.h"

namespace emulsion {

// The model's functions.
class FunctionTable {
public:
    // Throws Error where two have one name.
    explicit FunctionTable(const onnx::ModelProto &model);

    // The function that `node` calls, or null.
    const onnx::FunctionProto *find(const onnx::NodeProto &node) const;

private:
    using Key = std::tuple<std::string, std::string, std::string>;  // domain, name, overload
    std::map<Key, const onnx::FunctionProto *> functions_;
};

// Opset of ai.onnx that `function` imports; 0 if none.
int64_t imported_opset(const onnx::FunctionProto &function);

// Whether ONNX defines `schema` by a body.
bool has_body(const onnx::OpSchema &schema);

// The body that ONNX defines `schema` by, for this node (its types, attributes and absent operands
// may matter); null if there is none.
std::shared_ptr<const onnx::FunctionProto> schema_body(const onnx::OpSchema &schema,
                                                       const BodyNode &node, const Graph &graph);

}  // namespace emulsion
