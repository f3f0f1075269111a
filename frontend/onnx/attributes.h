// Attributes of nodes, from the model's form to the graph's.
#pragma once

#include <onnx/defs/schema.h>

#include <map>
#include <string>

#include "frontend/graph/graph.h"
#include "frontend/onnx/body_node.h"
#include "frontend/onnx/scope.h"

namespace emulsion {

using Attributes = std::map<std::string, const onnx::AttributeProto *>;

// The attributes of `node`; one that refers to an attribute of the function it stands in is that of
// the function's call, and absent where that is.
Attributes resolved_attributes(const onnx::NodeProto &node, const Scope &scope);

// What nodes in the body of `function` may refer to when `node` calls it: its attributes, and the
// defaults of the function, or of the operator of ONNX whose body it is (`schema`, else null).
Attributes attributes_of_call(const BodyNode &node, const onnx::FunctionProto &function,
                              const onnx::OpSchema *schema);

// Throws Error for more or fewer operands than the operator has, and for absent ones that it needs:
// inside of functions ONNX's checker does not see them, and shape inference counts on them.
void require_operands(const onnx::OpSchema &schema, const BodyNode &node);

// Throws Error for attributes that the operator does not have or that have another type, for missing
// ones, and for a number of results that is not that of the node.
void require_attributes(const onnx::OpSchema &schema, const BodyNode &node);

// The attribute as the graph has it; a tensor of one element is a number. Throws Error for graphs,
// tensors of several elements and the like.
Attribute attribute_of(const onnx::AttributeProto &proto);

}  // namespace emulsion
