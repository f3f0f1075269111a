// Measuring several networks against each other in one process.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "bench/loaded_network.h"
#include "bench/trace.h"

namespace emulsion {

class Progress;

// Runs that count in a turn of a network, after one that does not: that one finds the caches full of
// the other networks' weights.
constexpr int kRunsPerTurn = 3;

// Parts of a measurement, in each of which the networks have other memory (take_other_memory).
constexpr int kSittings = 10;

// How long to measure: `iterations` of each, or, when that is 0, until `seconds` have passed for all
// together, at least kLeastIterations of each. Turns are not broken off.
struct Effort {
    int iterations = 0;
    double seconds = 10.0;
    int warmup = 5;  // runs of each before, not counted
};
constexpr int kLeastIterations = 10;

// How long to measure a model where `asked` seconds were asked for each, `before` models were measured before and
// `spent` seconds went by in all: as long as was asked, but less, to no less than half, where all of it would take
// more than 1.5 times what was asked.
double measuring_seconds(double asked, size_t before, double spent);

struct Measurement {
    std::vector<std::vector<double>> times;  // milliseconds of single runs, [network][iteration]
    std::vector<size_t> sittings;            // the first iteration of each, ascending from 0
};

// The networks take turns, so that whatever slows the machine down for a while slows all of them down, in an
// order that changes from round to round, so that none always follows the same other one. `inputs` belong to
// all. Throws Error.
Measurement measure(std::span<LoadedNetwork> networks, const std::vector<Array> &inputs,
                    const Effort &effort, Progress &progress);

// Records `runs` of each network in as many sittings as measure() has, or fewer, each right after one that does
// not count. Throws Error.
std::vector<std::vector<RecordedRun>> record_in_turns(std::span<LoadedNetwork> networks,
                                                      const std::vector<Array> &inputs, int runs,
                                                      const std::string &task, Progress &progress);

}  // namespace emulsion
