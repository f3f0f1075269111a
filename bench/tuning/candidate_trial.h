// How long candidates take beside the planned nest, and whether they compute the same: in a process of its own, which a
// candidate may crash or keep busy for ever.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "backend/compiler.h"
#include "frontend/lower/network.h"
#include "tuner/outcome.h"

namespace emulsion {

struct TrialOptions {
    uint64_t seed = 1;
    double least_timeout_seconds = 2.0;  // of one call
    double timeout_factor = 50.0;        // ... and over that of the planned nest
    // A candidate that isn't within so many times the planned nest's time after a few runs gets no more.
    int few = 3, some = 10, many = 40;
    double few_within = 1.5, some_within = 1.1;
    // Where the planned nest has become so much slower or faster in the course of a sitting, the sitting is repeated, at
    // most so often.
    double most_drift = 0.15;
    int repeats = 2;
};

// Of the launches of `candidates`, which compute the same: the first is that of the planned nest. One result for each,
// with the nests left empty; `seconds` are not set. Its units are taken from the cache of `options`, where they have
// to be. Throws Error where the planned nest itself fails, and where there is no process.
std::vector<Result> try_candidates(const PlannedNetwork &candidates, const CompileOptions &options,
                                   const TrialOptions &trial);

}  // namespace emulsion
