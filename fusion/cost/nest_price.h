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

// The price of `group`, whose members are operators of `graph`, in its cheapest placement where the operators of `nests`,
// by name, have these nests, valid points of their spaces, and no other choice. The order of every value is known.
GroupPrice price_with_nests(OperatorGraph graph, const PlannedGroup &group,
                            const std::map<std::string, Nest> &nests, const Machine &machine);

}  // namespace emulsion
