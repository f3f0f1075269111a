#include "frontend/onnx/model_file.h"

#include <fcntl.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/stubs/logging.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>

#include "frontend/onnx/file_bytes.h"
#include "frontend/onnx/wire_scan.h"

namespace emulsion {

namespace {

std::string megabytes(int64_t bytes) { return std::to_string(bytes >> 20) + " MiB"; }

void check_size(int64_t size, const LoadLimits &limits) {
    if (size == 0) {
        throw Error("it is empty; an ONNX model is expected");
    }
    // protobuf counts in int, and keeps the last value for itself.
    const int64_t largest = std::min<int64_t>(limits.file_bytes, INT_MAX - 1);
    if (size > largest) {
        throw Error("it has " + megabytes(size) + ", more than the " + megabytes(largest) +
                    " accepted; keep large weights as external data");
    }
}

}  // namespace

void read_model(const std::string &path, const LoadLimits &limits, onnx::ModelProto &model) {
    // O_NONBLOCK: opening a pipe must not wait for a writer.
    const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!file.valid()) {
        throw Error(std::string("it can't be opened: ") + std::strerror(errno));
    }
    const int64_t size = regular_file_size(file);
    check_size(size, limits);
    const std::shared_ptr<std::byte[]> bytes = read_bytes(file, 0, static_cast<size_t>(size));
    parse_model({bytes.get(), static_cast<size_t>(size)}, limits, model);
}

void parse_model(std::span<const std::byte> bytes, const LoadLimits &limits,
                 onnx::ModelProto &model) {
    check_size(static_cast<int64_t>(bytes.size()), limits);
    scan_wire(bytes.data(), bytes.size(), limits.nesting);
    const google::protobuf::LogSilencer quiet;
    google::protobuf::io::CodedInputStream stream(reinterpret_cast<const uint8_t *>(bytes.data()),
                                                  static_cast<int>(bytes.size()));
    stream.SetTotalBytesLimit(INT_MAX);
    stream.SetRecursionLimit(limits.nesting);
    if (!model.ParseFromCodedStream(&stream) || !stream.ConsumedEntireMessage()) {
        throw Error("it is no ONNX model, or a damaged one: its protobuf data can't be read to the "
                    "end");
    }
}

}  // namespace emulsion
