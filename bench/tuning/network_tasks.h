// What there is to tune in a planned network.
#pragma once

#include <string>
#include <vector>

#include "frontend/lower/network.h"
#include "tuner/task.h"

namespace emulsion {

// One task for each distinct group of operators that has a single loop nest, in the order of their first launches.
// Groups with panels, whose nests depend on each other, and conversions are left out. `threads` is what the network was
// planned for, `machine` the fingerprint of this processor.
std::vector<TuningTask> tasks_of(const PlannedNetwork &network, int threads,
                                 const std::string &machine);

}  // namespace emulsion
