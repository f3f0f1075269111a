// Where every Func of a group is computed.
#pragma once

#include <vector>

#include "fusion/layout.h"
#include "fusion/operator_graph.h"
#include "fusion/placement.h"
#include "fusion/plan.h"

namespace emulsion {

// The members of `group` with the place of every part, the loop nest of every stage, and how kept values
// lie. `layouts`: of every value, as it likes to lie.
std::vector<PlannedMember> place_members(const OperatorGraph &graph, const PlacedGroup &group,
                                         const std::vector<Layout> &layouts);

}  // namespace emulsion
