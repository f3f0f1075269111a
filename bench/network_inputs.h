// What a network is run on: .npy files of the user's, or random data that its operators accept.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "backend/artifact_reader.h"
#include "bench/npy.h"
#include "frontend/graph/value_bounds.h"

namespace emulsion {

class NetworkInputs {
public:
    // Which inputs may be missing where some have files.
    enum class Missing { Refused, Random };

    // `assignments` are of --input: NAME=FILE.npy, or FILE.npy for a network of one input. Throws Error
    // where a file's name, type or shape is not that of an input of the network.
    NetworkInputs(const Artifact &artifact, const std::vector<std::string> &assignments,
                  uint64_t seed, Missing missing = Missing::Refused);

    // All inputs of run `run`, in the network's order. Equal for equal arguments. What has no file is
    // random; the first run has the files as they are, and later ones their elements in another order,
    // so that whatever the network is given is of the user's choice. Reals that are all the same, which
    // no order changes, become random ones.
    std::vector<Array> make(int run) const;

private:
    struct Input {
        TensorInfo info;
        ValueBounds bounds;
        Array file;  // where `has_file`
        bool has_file = false;
    };
    Array make(const Input &input, uint64_t seed, bool first) const;

    uint64_t seed_;
    std::vector<Input> inputs_;
};

// NAME=FILE split at the first '='; a text without one is the file for the only name in `names`. Throws
// Error, naming `flag`.
std::map<std::string, std::string> parse_assignments(const std::vector<std::string> &texts,
                                                     const std::vector<std::string> &names,
                                                     const std::string &flag);

}  // namespace emulsion
