// Which operators of ONNX Emulsion has, whatever the node's form, types and shapes.
#pragma once

#include "frontend/onnx/body_node.h"

namespace emulsion {

// Whether Emulsion has the operator of `node`, of ai.onnx, in some form: as a file in frontend/ops, under the
// name of opset kOpset; as a body that ONNX defines it by; or in the importer itself. Also true for
// operators that ONNX does not have.
bool has_operator(const BodyNode &node);

}  // namespace emulsion
