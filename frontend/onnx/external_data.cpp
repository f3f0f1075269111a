#include "frontend/onnx/external_data.h"

#include <fcntl.h>
#include <onnx/onnx_pb.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <vector>

#include "frontend/onnx/names.h"

namespace emulsion {

namespace {

struct Range {
    std::string location;
    int64_t offset = 0;
    int64_t length = -1;  // -1: as long as the tensor
};

int64_t number(const std::string &key, const std::string &text) {
    int64_t value = 0;
    const char *end = text.data() + text.size();
    const auto [stop, status] = std::from_chars(text.data(), end, value);
    if (status != std::errc() || stop != end || value < 0) {
        throw Error("the " + key + " of its external data is no number");
    }
    return value;
}

Range range_of(const onnx::TensorProto &proto) {
    Range range;
    for (const onnx::StringStringEntryProto &entry : proto.external_data()) {
        if (entry.key() == "location") {
            range.location = entry.value();
        } else if (entry.key() == "offset") {
            range.offset = number("offset", entry.value());
        } else if (entry.key() == "length") {
            range.length = number("length", entry.value());
        }
    }
    require_printable(range.location, "the location of its external data", {});
    return range;
}

// The parts of a relative path that stays below its start; "." and empty parts are dropped.
std::vector<std::string> parts_of(const std::string &location) {
    const std::filesystem::path path(location);
    std::vector<std::string> parts;
    for (const std::filesystem::path &part : path) {
        if (part == ".." || path.is_absolute()) {
            throw Error("its external data '" + location +
                        "' is outside the model's folder; only files in it are read");
        }
        if (!part.empty() && part != ".") {
            parts.push_back(part.string());
        }
    }
    if (parts.empty()) {
        throw Error("its external data '" + location + "' names no file");
    }
    return parts;
}

}  // namespace

ExternalData::ExternalData(const std::string &model_path, int64_t limit)
    : folder_(std::filesystem::path(model_path).parent_path().string()), left_(limit) {
    if (folder_.empty()) {
        folder_ = ".";
    }
}

ExternalData ExternalData::none() { return {}; }

const ExternalData::File &ExternalData::open(const std::string &location) {
    const auto found = files_.find(location);
    if (found != files_.end()) {
        return found->second;
    }
    // Step by step, so that no part of the way is a link that leads elsewhere.
    const std::vector<std::string> parts = parts_of(location);
    FileDescriptor file(::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    for (size_t i = 0; file.valid() && i < parts.size(); ++i) {
        const bool last = i + 1 == parts.size();
        const int kind = last ? O_NONBLOCK : O_DIRECTORY;
        file = FileDescriptor(
            openat(file.get(), parts[i].c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | kind));
    }
    if (!file.valid()) {
        throw Error("its external data '" + location + "' can't be opened: " +
                    (errno == ELOOP ? "symbolic links are not followed" : std::strerror(errno)));
    }
    const int64_t size = regular_file_size(file);
    return files_.emplace(location, File{std::move(file), size}).first->second;
}

ConstantData ExternalData::read(const onnx::TensorProto &proto, size_t size) {
    try {
        const Range range = range_of(proto);
        if (folder_.empty()) {
            throw Error("its data is in the file '" + range.location +
                        "', and a model in memory has no folder; give one, or the model with its "
                        "weights inside");
        }
        const auto wanted = static_cast<int64_t>(size);
        if (range.length >= 0 && range.length != wanted) {
            throw Error("its external data has " + std::to_string(range.length) +
                        " bytes where its type and shape need " + std::to_string(size));
        }
        const File &file = open(range.location);
        if (range.offset > file.size || wanted > file.size - range.offset) {
            throw Error("its external data ends after byte " + std::to_string(file.size) + " of '" +
                        range.location + "'");
        }
        if (wanted > left_) {
            throw Error("the model's external data is larger than accepted");
        }
        left_ -= wanted;
        ConstantData data;
        const std::shared_ptr<std::byte[]> bytes = read_bytes(file.descriptor, range.offset, size);
        data.bytes = bytes.get();
        data.size = size;
        data.owner = bytes;
        return data;
    } catch (const Error &error) {
        throw Error("initializer '" + proto.name() + "': " + error.message());
    }
}

}  // namespace emulsion
