// Mutations of models that keep the form of a protobuf and break the sense of what it says.
#pragma once

#include <onnx/onnx_pb.h>

#include "frontend/zoo/random.h"

namespace emulsion::fuzz {

// One to four changes: of attributes, edges, operators, types, shapes, tensors, names, versions, or of
// the list of nodes.
void mutate(onnx::ModelProto &model, PortableRandom &random);

}  // namespace emulsion::fuzz
