// The objects of a network's distinct units: from the cache, or compiled by worker processes.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "backend/compiler.h"

namespace emulsion {

struct BuiltUnits {
    std::map<std::string, std::filesystem::path> objects;  // unit key -> object file
    std::map<std::string, std::string> hashes;             // unit key -> hash of its object
    std::filesystem::path halide_runtime;                  // object file
    int cached = 0;
    // How many have smaller loop nests than planned, because their kernels needed more registers or LDS than
    // there are.
    int shrunk = 0;
};

// Writes objects into `scratch` and, where options.emit asks, texts into `emit`. Throws Error.
BuiltUnits build_units(const PlannedNetwork &network, const CompileOptions &options,
                       const std::filesystem::path &scratch, const std::filesystem::path &emit);

}  // namespace emulsion
