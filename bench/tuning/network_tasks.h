// What there is to tune in a planned network.
#pragma once

#include <string>
#include <vector>

#include "frontend/lower/network.h"
#include "tuner/task.h"

namespace emulsion {

// One task for each distinct group that has more than one loop nest to choose from, conversions included, in the order of
// their first launches. `threads` is what the network was planned for, `machine` the fingerprint of this processor.
std::vector<TuningTask> tasks_of(const PlannedNetwork &network, int threads,
                                 const std::string &machine);

}  // namespace emulsion
