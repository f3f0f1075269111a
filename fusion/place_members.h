// Where every Func of a group is computed.
#pragma once

#include <vector>

#include "fusion/operator_graph.h"
#include "fusion/plan.h"
#include "fusion/policy.h"

namespace emulsion {

// The members of `group` with the place of every part and the loop nest of every stage.
std::vector<PlannedMember> place_members(const OperatorGraph &graph, const ChosenGroup &group);

}  // namespace emulsion
