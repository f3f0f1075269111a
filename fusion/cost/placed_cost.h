// What a group takes on a core when its members are placed in a certain way.
#pragma once

#include <vector>

#include "fusion/cost/row_choices.h"
#include "fusion/group_cost.h"
#include "fusion/machine.h"
#include "fusion/operator_graph.h"
#include "fusion/placement.h"

namespace emulsion {

// Cycles of the busiest core with the cheapest of `choices`, which are some of row_choices, and the placement
// with its serial stages and cut axes filled in. The group is placeable; refused where it is with none of the
// choices.
//
// max(arithmetic, traffic) plus a share of the lesser one, which hides behind the other but uses its
// queues; and a start for every region (a value that is kept whole; all the rest) that runs on all cores.
// Regions whose nest can run on one core do where that is cheaper. Arithmetic: of every member as often as
// it is computed. Traffic: every tensor from outside, once, in the region that reads it first, at the rate
// of the cache that it fits into; with panels, all constants for every panel as well.
GroupPrice placed_price(const OperatorGraph &graph, const PlacedGroup &group,
                        const std::vector<RowChoice> &choices, const CpuMachine &machine);

}  // namespace emulsion
