// How long candidates take beside the planned nest, and whether they compute the same: in a process of its own, which a
// candidate may crash or keep busy for ever.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tuner/outcome.h"

namespace emulsion {

struct TrialOptions {
    uint64_t seed = 1;
    double least_timeout_seconds = 2.0;  // of one call
    double timeout_factor = 50.0;        // ... and over that of the planned nest
    // A candidate that isn't within so many times the planned nest's time after a few runs gets no more.
    int few = 5, some = 12, many = 40;
    double few_within = 1.5, some_within = 1.1;
    // Where that many runs of the planned nest take less, all three are raised in proportion, to `most_raised` times as
    // many: what is over sooner than a disturbance of the machine takes is all disturbed, or not at all.
    double least_ms = 15.0, most_raised = 10.0;
    // Of the runs of those that are left: no new round begins after that.
    double most_seconds = 1e9;
    // Where the planned nest has become so much slower or faster in the course of a sitting, the sitting is repeated, at
    // most so often.
    double most_drift = 0.15;
    int repeats = 2;
};

// How candidates, numbered from 0, are called; in the child alone.
class CandidateCalls {
public:
    CandidateCalls() = default;
    CandidateCalls(const CandidateCalls &) = delete;
    CandidateCalls &operator=(const CandidateCalls &) = delete;
    virtual ~CandidateCalls() = default;

    // Milliseconds of a call. Throws Error where it fails.
    virtual double run(size_t candidate) = 0;
    // What is wrong with what a call computes; "" where it is what the first candidate computes, which is asked before all
    // others. Throws Error where it fails.
    virtual std::string check(size_t candidate) = 0;
};

struct Tried {
    std::vector<Result> results;  // by candidate, with the nests left empty; `seconds` are not set
    bool has_drifted = false;     // the planned nest, in the last repeat as well
};

// Of so many candidates, which compute the same: the first is the planned nest. `make` is called in the child, with those
// that are left to measure. Throws Error where the planned nest itself fails, and where there is no process.
Tried try_candidates(
    size_t count,
    const std::function<std::unique_ptr<CandidateCalls>(const std::vector<size_t> &alive)> &make,
    const TrialOptions &trial);

}  // namespace emulsion
