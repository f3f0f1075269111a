// The values that operators hand to each other, and for those that pass from group to group why the
// two groups are not one.
#pragma once

#include <vector>

#include "bench/explain/explain_plan.h"

namespace emulsion {

// Every value that an operator of `graph` reads and that is no constant, in the order of the readers, then those that
// the caller gets. `explained` has operators, groups and the plan's refusals. An edge between groups has the reason
// that the plan records for it; where it records none, what can be read off the groups: see ExplainedEdge::reason.
std::vector<ExplainedEdge> explain_edges(const OperatorGraph &graph, const Plan &plan,
                                         const PlanNames &names, const Explanation &explained);

}  // namespace emulsion
