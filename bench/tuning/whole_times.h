// Whole networks that compute the same, beside each other.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/loaded_network.h"
#include "bench/measure.h"

namespace emulsion {

class Progress;

// Medians of runs in turns, milliseconds, of networks that compute the same on random inputs. Throws Error (failed), naming
// the model's file, where one computes something else than the first.
std::vector<double> medians_in_turns(std::vector<LoadedNetwork> &networks, uint64_t seed,
                                     const Effort &effort, const std::string &file,
                                     Progress &progress);

}  // namespace emulsion
