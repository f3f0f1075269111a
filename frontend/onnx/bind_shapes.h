// The sizes that a model leaves open: a symbol ("batch"), or nothing at all.
#pragma once

#include <set>
#include <string>

#include "frontend/onnx/loader.h"
#include "frontend/onnx/refused.h"

namespace onnx {
class GraphProto;
}

namespace emulsion {

// Gives every dimension of the graph's inputs a size: from `shapes`, by the input's name or by the
// name of a symbol, which then has this size wherever it stands. `constants` are inputs that have an
// initializer. Inputs that stay without a size are added to `refused`, with a list of the inputs and their
// symbols. Throws Error for sizes that contradict what the model declares or each other.
void bind_shapes(onnx::GraphProto &graph, const InputShapes &shapes,
                 const std::set<std::string> &constants, Refused &refused);

}  // namespace emulsion
