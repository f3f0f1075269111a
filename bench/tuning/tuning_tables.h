// What tuning has found, as tables on stdout.
#pragma once

#include "bench/tuning/tune_network.h"

namespace emulsion {

// What was measured of every group; and the spaces of the groups.
void print_tuned(const TunedNetwork &tuned);
void print_tasks(const TunedNetwork &tuned);

}  // namespace emulsion
