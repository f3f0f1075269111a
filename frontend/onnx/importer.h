// From a checked model to the tensor graph, node by node in the model's order. Functions and branches
// are inlined, nodes are upgraded to opset kOpset, types and shapes are inferred, and small values
// computed, all in one walk: a function's body may depend on types, a shape on values, and a branch
// on a shape.
#pragma once

#include <memory>

#include "frontend/graph/graph.h"
#include "frontend/onnx/loader.h"
#include "frontend/onnx/refused.h"
#include "frontend/onnx/weights.h"

namespace onnx {
class ModelProto;
}

namespace emulsion {

// The shapes of the model's inputs are known (bind_shapes), but for those in `refused`. Nodes that are
// refused, or whose shape can't be known before they run, are added to that; with what depends on them they
// are left out of the graph. A node that is left out and whose operator Emulsion does not have at all is
// refused for that. Throws Error for models that are too large.
Graph import_graph(const std::shared_ptr<const onnx::ModelProto> &model, Weights weights,
                   const LoadLimits &limits, Refused &refused);

}  // namespace emulsion
