// Plans that measured prices lead to.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backend/compiler.h"
#include "backend/planned_model.h"
#include "fusion/cost/measured_costs.h"

namespace emulsion {

// By problem_key, milliseconds of a launch with the fastest loop nest that is known; 0: nobody has measured it.
using MeasuredTimes = std::function<double(const std::string &problem)>;

// The groups of a planned network that were measured.
std::vector<MeasuredGroup> measured_groups(const PlannedNetwork &network,
                                           const MeasuredTimes &times);

// The model planned with these prices in the place of the analytic model's.
std::unique_ptr<PlannedModel> planned_again(const LoadedModel &model, const CompileOptions &options,
                                            const std::vector<MeasuredGroup> &groups);

// Whether both have the same groups, with the same implementations.
bool are_planned_alike(const PlannedNetwork &a, const PlannedNetwork &b);

}  // namespace emulsion
