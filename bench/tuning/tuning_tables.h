// What tuning has found, as tables on stdout.
#pragma once

#include <vector>

#include "bench/tuning/tune_network.h"

namespace emulsion {

// What was measured of every group.
void print_tuned(const TunedNetwork &tuned);
// The spaces of groups.
void print_tasks(const std::vector<TuningTask> &tasks);

}  // namespace emulsion
