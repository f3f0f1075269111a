// How long candidates take beside the planned nest: in turns, few runs for slow ones and many for fast ones, while the
// machine is quiet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "bench/tuning/candidate_calls.h"
#include "bench/tuning/race_times.h"

namespace emulsion {

struct RaceOptions {
    uint64_t seed = 1;
    // A candidate that isn't within so many times the planned nest's time after a few runs gets no more.
    int few = 5, some = 12, many = 40;
    double few_within = 1.5, some_within = 1.1;
    // Where that many runs of the planned nest take less, all three are raised in proportion, to `most_raised` times as
    // many: what is over sooner than a disturbance of the machine takes is all disturbed, or not at all.
    double least_ms = 15.0, most_raised = 10.0;
    // Of the runs of those that are left: no new round begins after that.
    double most_seconds = 1e9;
    // Where the planned nest was so much slower in one portion than in another, the race is repeated, at most so often.
    double most_drift = 0.15;
    int repeats = 2;
    // How long reference kernels take where the machine is at its best, as found before. Rounds in which they take longer
    // are repeated, and the machine is waited for, but not longer than this in a race.
    ReferenceTimes reference;
    double most_disturbed_seconds = 5.0;
};

struct Raced {
    RaceTimes times;
    bool has_drifted = false;    // the planned nest, in the last repeat as well
    bool was_disturbed = false;  // the machine, for longer than it is waited for
    ReferenceTimes reference;    // where the machine is at its best
};

// Runs candidates of `calls`; the first of `racing` is the planned nest. `run` runs one, once, and returns its milliseconds.
Raced race(CandidateCalls &calls, const std::vector<size_t> &racing, const RaceOptions &options,
           const std::function<double(size_t candidate)> &run);

}  // namespace emulsion
