#include "frontend/zoo/zoo.h"

#include <google/protobuf/io/zero_copy_stream_impl.h>

#include <cerrno>
#include <cstring>

#include "frontend/zoo/network.h"
#include "fusion/error.h"
#include "fusion/partial_file.h"

namespace emulsion {

namespace {

const Network &network(const std::string &name) {
    std::string known;
    for (const Network *candidate : all_networks()) {
        if (candidate->entry.name == name) {
            return *candidate;
        }
        known += (known.empty() ? "" : ", ") + candidate->entry.name;
    }
    throw Error("the zoo has no network '" + name + "'; it has " + known);
}

Error not_written(const std::string &path, int error) {
    ErrorPlace place;
    place.file = path;
    return failure(std::string("it can't be written: ") + std::strerror(error), place);
}

// Writes beside `path` first, so that an interrupted run leaves no half of a model under that name.
void write_model(const onnx::ModelProto &model, const std::string &path) {
    constexpr int kBlock = 1 << 20;
    PartialFile file(path);
    if (file.descriptor() < 0) {
        throw not_written(path, errno);
    }
    google::protobuf::io::FileOutputStream stream(file.descriptor(), kBlock);
    if (!model.SerializeToZeroCopyStream(&stream) || !stream.Flush()) {
        throw not_written(path, stream.GetErrno());
    }
    if (const int error = file.publish(); error != 0) {
        throw not_written(path, error);
    }
}

}  // namespace

const std::vector<ZooEntry> &zoo_entries() {
    static const std::vector<ZooEntry> entries = [] {
        std::vector<ZooEntry> list;
        for (const Network *network : all_networks()) {
            list.push_back(network->entry);
        }
        return list;
    }();
    return entries;
}

void write_zoo_model(const std::string &name, const std::string &path, const ZooOptions &options) {
    const Network &chosen = network(name);
    NetworkBuilder builder(name, options);
    chosen.build(builder);
    write_model(builder.finish(), path);
}

}  // namespace emulsion
