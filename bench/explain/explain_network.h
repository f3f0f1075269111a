// What the planner made of a network, in the model's own names.
#pragma once

#include "bench/explain/explanation.h"
#include "frontend/lower/network.h"

namespace emulsion {

// explain_plan, and what placing the network in memory tells. Its weights have been computed (compute_constants).
Explanation explain_network(const PlannedNetwork &network);

}  // namespace emulsion
