// What ONNX's own checker says about a model.
#pragma once

#include "frontend/onnx/refused.h"

namespace onnx {
class ModelProto;
}

namespace emulsion {

// Nodes that the checker complains about are added to `refused`, which it does not see the nodes of.
// Throws Error for complaints about the graph as a whole. The model is the same afterwards.
void check_standard(onnx::ModelProto &model, Refused &refused);

}  // namespace emulsion
