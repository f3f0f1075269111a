// Weights that a model keeps in files beside it. What a model names is untrusted: only regular files
// in the model's own folder, or in folders below it, are read, and no symbolic link is followed.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "frontend/graph/graph.h"
#include "frontend/onnx/file_bytes.h"

namespace onnx {
class TensorProto;
}

namespace emulsion {

class ExternalData {
public:
    // Data of the model file `model_path`; at most `limit` bytes in all.
    ExternalData(const std::string &model_path, int64_t limit);

    // Of a model that came from no folder: all data is refused.
    static ExternalData none();

    // The `size` bytes of `proto`. Throws Error (naming the tensor) for locations outside the
    // folder, missing files, and ranges that do not fit the file or `size`.
    ConstantData read(const onnx::TensorProto &proto, size_t size);

private:
    struct File {
        FileDescriptor descriptor;
        int64_t size = 0;
    };
    const File &open(const std::string &location);

    ExternalData() = default;

    std::string folder_;  // empty: there is none
    int64_t left_ = 0;
    std::map<std::string, File> files_;
};

}  // namespace emulsion
