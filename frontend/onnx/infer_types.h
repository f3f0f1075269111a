// Types and shapes of a node's results, as ONNX's own definition of the operator infers them.
#pragma once

#include <onnx/defs/schema.h>

#include <vector>

#include "frontend/graph/graph.h"
#include "frontend/onnx/body_node.h"

namespace emulsion {

// Values that shapes may depend on have at most this many bytes: the shape, axes, pads or scales of
// an operand have a few elements per axis.
constexpr size_t kLargestShapeValue = 1024;

// One type for each result of `node`; parts of it are unset where ONNX can't tell. Small constants
// among the operands are looked at. Throws Error when the operands don't fit the operator.
std::vector<onnx::TypeProto> infer_types(const onnx::OpSchema &schema, const BodyNode &node,
                                         const Graph &graph);

// The type of `tensor`.
onnx::TypeProto type_of(const Tensor &tensor);

}  // namespace emulsion
