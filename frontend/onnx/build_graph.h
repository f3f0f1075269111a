// A checked and typed model as the tensor graph.
#pragma once

#include "frontend/graph/graph.h"
#include "frontend/onnx/loader.h"
#include "frontend/onnx/weights.h"

namespace onnx {
class ModelProto;
}

namespace emulsion {

// Throws Error for values whose type or rank is unknown, unsupported or beyond the limits.
Graph build_graph(const onnx::ModelProto &model, Weights weights, const LoadLimits &limits);

}  // namespace emulsion
