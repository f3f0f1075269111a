// The constants of a machine from measured groups.
#pragma once

#include <functional>
#include <vector>

#include "bench/cost_samples.h"
#include "fusion/machine_constants.h"

namespace emulsion {

// Mean of |ln(predicted / measured)| over all samples that have both: 0 is perfect, 0.1 about 10 %.
double log_error(const std::vector<SampledNetwork> &networks, const MachineConstants &constants);

// Constants that make log_error small, by coordinate search from `start`: every constant in turn is
// multiplied by a few factors, until none helps. The sizes of caches stay as they are. `progress` is told
// the error so far.
MachineConstants fit_machine(const std::vector<SampledNetwork> &networks,
                             const MachineConstants &start,
                             const std::function<void(double error)> &progress);

}  // namespace emulsion
