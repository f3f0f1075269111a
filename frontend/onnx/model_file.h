// Reading a model file: size, kind and protobuf form.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "frontend/onnx/loader.h"

namespace onnx {
class ModelProto;
}

namespace emulsion {

// Reads `path`, a regular file of at most `limits.file_bytes`, into `model`. Throws Error for a file
// that can't be read or that is no serialised ONNX model.
void read_model(const std::string &path, const LoadLimits &limits, onnx::ModelProto &model);

// The same of bytes in memory.
void parse_model(std::span<const std::byte> bytes, const LoadLimits &limits,
                 onnx::ModelProto &model);

}  // namespace emulsion
