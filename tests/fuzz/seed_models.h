// Models that fuzzing starts from: each is accepted as it is.
#pragma once

#include <onnx/onnx_pb.h>

#include <vector>

namespace emulsion::fuzz {

// The tiny networks of the zoo, small graphs with the forms that models come in (functions, branches,
// old opsets, shapes that are computed, weights beside the file), and one node of each operator that
// was found by trial; the same at every call.
std::vector<onnx::ModelProto> seed_models();

}  // namespace emulsion::fuzz
