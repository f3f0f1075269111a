// One plan of a graph whose layouts are decided: the policy's groups where they are legal, a place for every Func, and
// the views and conversions between, as the laid-out graph has them.
#pragma once

#include "fusion/group_cost.h"
#include "fusion/laid_out_graph.h"
#include "fusion/planner.h"
#include "fusion/policy.h"

namespace emulsion {

// The laid-out graph owns layouts if `options` say so, and absorbs copies if the policy does.
Plan build_plan(const LaidOutGraph &laid_out, const PlannerOptions &options, const Policy &policy,
                CostSource &costs);

}  // namespace emulsion
