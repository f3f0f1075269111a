// Where every Func of a group is computed.
#pragma once

#include <vector>

#include "fusion/operator_graph.h"
#include "fusion/placement.h"
#include "fusion/plan.h"

namespace emulsion {

// The members of `group` with the place of every part, the loop nest of every stage, and how kept values
// lie. The order of every value is known.
std::vector<PlannedMember> place_members(const OperatorGraph &graph, const PlacedGroup &group);

}  // namespace emulsion
