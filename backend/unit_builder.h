// The objects of the distinct units of networks: from the cache, or compiled by one pool of worker processes.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "backend/compiler.h"
#include "backend/workers.h"
#include "fusion/error.h"

namespace emulsion {

// What became of a unit.
struct UnitOutcome {
    std::filesystem::path object;
    std::string hash;  // of the object; empty: there is none, for it failed
    bool cached = false;
    // The unit's plan as it was compiled, where that has smaller loop nests than planned: its kernels needed more
    // registers or LDS than there are, or Halide could not compile it.
    std::optional<Plan> shrunk;
    std::optional<Error> error;  // why it failed; it names the unit's operators
};

struct BuiltUnits {
    std::map<std::string, UnitOutcome> units;  // by key
    std::filesystem::path halide_runtime;      // object file
    std::vector<Error> errors;                 // all, in the order of the launches

    int cached() const;
    int shrunk() const;
};

// One for each of the networks, which all have the objects of units that they share in common. Writes objects into
// `scratch` and, where options.emit asks, texts into `emit`. A unit that fails keeps no other from being built; its
// error is one of every network that has it, in that network's names. Of `options.plan` nothing is read. Throws Error
// for what no unit is to blame for: no worker, no file that can be written.
std::vector<BuiltUnits> build_units(std::span<const PlannedNetwork *const> networks,
                                    const CompileOptions &options,
                                    const std::filesystem::path &scratch,
                                    const std::filesystem::path &emit);
// Of one network.
BuiltUnits build_units(const PlannedNetwork &network, const CompileOptions &options,
                       const std::filesystem::path &scratch, const std::filesystem::path &emit);

// The workers that build units with these options.
WorkerOptions worker_options(const CompileOptions &options);

// Identifies the compiler that makes units with these options: what is measured of one's code says nothing of another's.
std::string build_with(const CompileOptions &options);

// Throws nothing where there are no errors, the one that there is, or one sentence of all.
void refuse_errors(const std::vector<Error> &errors);

}  // namespace emulsion
