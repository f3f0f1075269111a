// How long candidates take beside the planned nest, and whether they compute the same: in a process of its own, which a
// candidate may crash or keep busy for ever.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "bench/tuning/candidate_calls.h"
#include "bench/tuning/race.h"
#include "tuner/outcome.h"

namespace emulsion {

struct TrialOptions {
    double least_timeout_seconds = 2.0;  // of one call
    double timeout_factor = 50.0;        // ... and over that of the planned nest
    RaceOptions race;
    // Nothing runs: what compiles takes the time that the cost model expects (of a GPU that is not here, for instance).
    bool compiles_only = false;
};

struct Tried {
    std::vector<Result> results;  // by candidate, with the nests left empty; `seconds` are not set
    // As Raced has them.
    bool has_drifted = false, was_disturbed = false;
    ReferenceTimes reference;
};

// Of so many candidates, which compute the same: the first is the planned nest. `make` is called in the child, with those
// that are left to measure. Throws Error where the planned nest itself fails, and where there is no process.
Tried try_candidates(
    size_t count,
    const std::function<std::unique_ptr<CandidateCalls>(const std::vector<size_t> &alive)> &make,
    const TrialOptions &trial);

// How many candidates this process has tried in all, beside the planned nests.
int64_t measured_candidates();

}  // namespace emulsion
