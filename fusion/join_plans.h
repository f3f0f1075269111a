// One plan of the plans of parts of a pipeline that have nothing to do with each other.
#pragma once

#include <vector>

#include "fusion/plan.h"

namespace emulsion {

// The groups of one part after those of another. What several parts inline (reads of inputs) is a member once. At least
// one plan, all of one policy.
Plan join_plans(std::vector<Plan> parts);

}  // namespace emulsion
