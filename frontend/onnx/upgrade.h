// What the onnx library does for a model: check, convert to the opset that operators are written
// for, infer types and shapes.
#pragma once

namespace onnx {
class ModelProto;
}

namespace emulsion {

// Checks `model`, converts it to opset kOpset, and writes inferred types and shapes into its
// value_info. Throws Error, at the node in question where the library names one.
void upgrade_and_infer(onnx::ModelProto &model);

}  // namespace emulsion
