// One plan of an operator graph, with what becomes of its Transposes and Reshapes decided: the layout of every value,
// the policy's groups where they are legal, a place for every Func, and the copies and views between.
#pragma once

#include "fusion/group_cost.h"
#include "fusion/layouts.h"
#include "fusion/planner.h"
#include "fusion/policy.h"

namespace emulsion {

Plan build_plan(const OperatorGraph &graph, const PlannerOptions &options, const Policy &policy,
                const MoveWays &ways, CostSource &costs);

}  // namespace emulsion
