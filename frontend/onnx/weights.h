// Weights apart from the model: checks, conversion and shape inference copy the model several times,
// and half a gigabyte of weights should not be copied at all.
#pragma once

#include <map>
#include <string>

#include "frontend/graph/graph.h"
#include "frontend/onnx/loader.h"

namespace onnx {
class ModelProto;
}

namespace emulsion {

using Weights = std::map<std::string, Tensor>;

// Takes the weights out of `model`, a file at `path`. Constant nodes become weights first. Large
// ones leave behind a graph input of the same name, type and shape; small ones, which shape inference may
// want to look at, stay in the model and are not in the result.
Weights take_weights(onnx::ModelProto &model, const std::string &path, const LoadLimits &limits);

}  // namespace emulsion
