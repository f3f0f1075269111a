// From an ONNX file to a tensor graph: the untrusted side. Everything that can be wrong with a file
// is found here and refused with one Error; what comes out has passed ONNX's full checker and shape
// inference, at the opset that operators are written for.
#pragma once

#include <cstdint>
#include <string>

#include "frontend/graph/graph.h"

namespace emulsion {

// Upper bounds on what a model file may ask for. ONNX itself sets none.
struct LoadLimits {
    int64_t file_bytes = int64_t{2} << 30;       // protobuf's own limit
    int64_t external_bytes = int64_t{16} << 30;  // sum of external data
    int64_t nodes = 1'000'000;
    int64_t tensor_elements = int64_t{1} << 40;  // of any value
    int rank = 8;
    int nesting = 64;  // protobuf recursion
};

// Opset of ai.onnx that operators are written for; models are converted to it where ONNX's version
// converter can, and refused (naming both opsets) where it can't.
constexpr int64_t kOpset = 22;

// Loads, checks, upgrades and types the model. Throws Error (file, node, cause).
Graph load_model(const std::string &path, const LoadLimits &limits = {});

}  // namespace emulsion
