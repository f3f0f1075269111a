// A plan again, from what was decided in one: its groups, loop nests, and what becomes of Transposes and Reshapes. All
// else (layouts, views, conversions, placements) follows from these and is made anew, so that a plan from a file that
// somebody has edited is as safe as one of the planner's.
#pragma once

#include "fusion/plan.h"
#include "fusion/planner.h"

namespace emulsion {

// The plan of `graph` that `wanted` describes: equal to it, where it was made for this graph with these options and has
// not been changed. A plan without values takes those that follow from its groups; parameters of loop nests that
// members leave out take the preferred values. Throws Error, one sentence with the group, for one that doesn't fit:
// operators that are unknown, missing or twice, a group that can't be, a loop nest that the operator has not,
// parameters outside of its domain, values that lie otherwise than follows.
Plan replay_plan(const OperatorGraph &graph, const PlannerOptions &options, const Plan &wanted);

}  // namespace emulsion
