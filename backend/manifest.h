// manifest.json: what an artifact is and how it came about. Equal inputs give equal bytes: no time, no
// path, no number of jobs.
#pragma once

#include <map>
#include <span>
#include <string>

#include "backend/compiler.h"
#include "backend/program.h"
#include "backend/weights.h"

namespace emulsion {

struct ManifestInputs {
    std::string name;
    ContentHash weights;
    std::map<std::string, std::string> unit_hashes;  // unit key -> hash of its object
    std::string library_hash, archive_hash;
};

struct ManifestNetwork {
    const PlannedNetwork &planned;
    const Program &program;
};

// `networks` are the one that the target names and, perhaps, the same one for a CPU.
std::string manifest(const Graph &graph, std::span<const ManifestNetwork> networks,
                     const CompileOptions &options, const ManifestInputs &inputs);

// Hash of a plan's canonical text.
std::string plan_hash(const Plan &plan);
// Of the Halide that compiles.
std::string halide_version();

}  // namespace emulsion
