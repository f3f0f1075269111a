// Whole networks that compute the same, beside each other.
#pragma once

#include <string>
#include <vector>

#include "bench/loaded_network.h"
#include "bench/measure.h"

namespace emulsion {

class Progress;

// Random inputs of networks that compute the same. Throws Error (failed), naming the model's file, where one computes
// something else of them than the first.
std::vector<Array> same_inputs(std::vector<LoadedNetwork> &networks, const std::string &file);

// Medians of runs in turns, milliseconds, of such networks.
std::vector<double> medians_in_turns(std::vector<LoadedNetwork> &networks, const Effort &effort,
                                     const std::string &file, Progress &progress);

}  // namespace emulsion
