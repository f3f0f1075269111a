// Well-known networks with seeded random weights, for demos, benchmarks and tests. Weights keep the
// standard deviation of every activation and output between 0.1 and 10, so that a wrong layer shows.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace emulsion {

struct ZooEntry {
    std::string name;  // "mobilenet_v1"
    std::string description;
    int64_t parameters = 0;  // without running statistics of batch norms
};

const std::vector<ZooEntry> &zoo_entries();

struct ZooOptions {
    uint64_t seed = 1;       // of the weights
    int64_t batch = 1;       // images
    int64_t image_size = 0;  // height and width of the images; 0: those of the network's paper
};

// Writes network `name` as an ONNX file (temporary name, then renamed). Throws Error for an unknown
// name (listing the known ones), images that the network can't have, or a file that can't be written.
void write_zoo_model(const std::string &name, const std::string &path,
                     const ZooOptions &options = {});

}  // namespace emulsion
