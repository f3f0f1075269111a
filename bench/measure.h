// Measuring several networks against each other in one process.
#pragma once

#include <span>
#include <vector>

#include "bench/loaded_network.h"

namespace emulsion {

class Progress;

// How long to measure: `iterations` of each, or, when that is 0, until `seconds` have passed for all
// together, at least kLeastIterations of each.
struct Effort {
    int iterations = 0;
    double seconds = 10.0;
    int warmup = 5;  // runs of each before, not counted
};
constexpr int kLeastIterations = 10;

// Times of `networks` in milliseconds, [network][iteration]: single runs, taken in turns, so that
// whatever slows the machine down for a while slows all of them down. `inputs` belong to all.
std::vector<std::vector<double>> measure(std::span<LoadedNetwork> networks,
                                         const std::vector<Array> &inputs, const Effort &effort,
                                         Progress &progress);

}  // namespace emulsion
