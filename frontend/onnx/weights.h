// Weights apart from the model: each is kept alive by those who read it, and no step that works on the
// model copies half a gigabyte.
#pragma once

#include <map>
#include <string>

#include "frontend/graph/graph.h"
#include "frontend/onnx/external_data.h"
#include "frontend/onnx/loader.h"
#include "frontend/onnx/refused.h"

namespace onnx {
class ModelProto;
}

namespace emulsion {

using Weights = std::map<std::string, Tensor>;

// Takes the weights out of `model`. Constant nodes become weights first. Each leaves
// behind a graph input of the same name, type and shape. Constants of forms, types and ranks that are not
// supported are added to `refused`; other damage throws Error.
Weights take_weights(onnx::ModelProto &model, ExternalData &external, const LoadLimits &limits,
                     Refused &refused);

}  // namespace emulsion
