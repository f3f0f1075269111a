// Nodes of the graph in the model's form: the way back from frontend/onnx/attributes.h.
#pragma once

#include <cstdint>

#include "frontend/graph/graph.h"
#include "frontend/graph/pass.h"

namespace onnx {
class NodeProto;
}

namespace emulsion {

// Whether ONNX has the operator of `node`, with its attributes, in `opset`.
bool is_expressible(const Node &node, int64_t opset);

// `node` of `graph`, at `opset`. Results that the node does not compute, but which its operator must
// have, get names from `names`.
onnx::NodeProto node_proto(const Graph &graph, const Node &node, int64_t opset, UnusedNames &names);

}  // namespace emulsion
