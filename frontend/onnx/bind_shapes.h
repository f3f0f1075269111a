// The sizes that a model leaves open: a symbol ("batch"), or nothing at all.
#pragma once

#include <set>
#include <string>

#include "frontend/onnx/loader.h"

namespace onnx {
class GraphProto;
}

namespace emulsion {

// Gives every dimension of the graph's inputs a size: from `shapes`, by the input's name or by the
// name of a symbol, which then has this size wherever it stands. `constants` are inputs that have an
// initializer. Throws Error for sizes that contradict what the model declares or each other, and for
// inputs that stay without a size: it lists the inputs with their symbols.
void bind_shapes(onnx::GraphProto &graph, const InputShapes &shapes,
                 const std::set<std::string> &constants);

}  // namespace emulsion
