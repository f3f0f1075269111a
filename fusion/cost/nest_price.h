// What a group takes with loop nests that somebody else has chosen.
#pragma once

#include <map>
#include <string>

#include "fusion/group_cost.h"
#include "fusion/machine.h"
#include "fusion/nest.h"
#include "fusion/operator_graph.h"
#include "fusion/plan.h"

namespace emulsion {

// The price of `group`, one of `plan`'s, in its cheapest placement where the operators of `nests`, by name, have these
// nests, valid points of their spaces, and no other choice. Values lie as the group reads and writes them.
GroupPrice price_with_nests(const OperatorGraph &graph, const Plan &plan, const PlannedGroup &group,
                            const std::map<std::string, Nest> &nests, const Machine &machine);

}  // namespace emulsion
