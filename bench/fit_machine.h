// The constants of a machine from measured groups.
#pragma once

#include <functional>
#include <vector>

#include "bench/cost_samples.h"
#include "fusion/machine_constants.h"

namespace emulsion {

// Mean of |ln(predicted / measured)| over all samples that have both: 0 is perfect, 0.1 about 10 %.
double log_error(const std::vector<SampledNetwork> &networks, const MachineConstants &constants);

// The same of decisions: mean of |ln(predicted ratio / measured ratio)|, where the ratio is that of the time
// as one group over the time as several, over all pairs that are more than 5 % apart.
double decision_error(const std::vector<SampledNetwork> &networks,
                      const MachineConstants &constants);

// Constants that make log_error and decision_error together small, from `start` (fit_constants.h). Only rates are
// fitted: the sizes of caches and the costs of starting something stay as they are.
// But region_cycles is what `region_seconds` is at the clock that is found, if it is not 0. `progress` is told
// the error so far.
MachineConstants fit_machine(const std::vector<SampledNetwork> &networks,
                             const MachineConstants &start, double region_seconds,
                             const std::function<void(double error)> &progress);

}  // namespace emulsion
