// Constant nodes, the other way in which ONNX models hold weights.
#pragma once

namespace onnx {
class GraphProto;
}

namespace emulsion {

// Turns Constant nodes into initializers; one that makes a graph output leaves an Identity behind,
// for graph outputs are made by nodes. Throws Error for values that are no dense numbers.
void constants_to_initializers(onnx::GraphProto &graph);

}  // namespace emulsion
