// What a group takes on a core when its members are placed in a certain way.
#pragma once

#include <string>
#include <vector>

#include "fusion/group_cost.h"
#include "fusion/machine.h"
#include "fusion/operator_graph.h"
#include "fusion/placement.h"

namespace emulsion {

// Why Halide and the loop nests can't compute a group whose `panels` and `wholes` are given, or why its
// kept values find no room in the private cache; empty if they can. Rows are not looked at.
std::string unplaceable_because(const OperatorGraph &graph, const PlacedGroup &group,
                                const Machine &machine);

// All values of a group that are kept whole, together.
double most_whole_bytes(const Machine &machine);

// How the rows of the root are cut into panels, and these into tasks.
struct RowChoice {
    int64_t rows = 1;
    bool single_rows = false;  // the root computes rows one at a time, not in its own blocks
    int64_t task_panels = 1;   // panels of a task: they share the rows that they have in common
};
std::vector<RowChoice> row_choices(const OperatorGraph &graph, const PlacedGroup &group,
                                   const Machine &machine);

// Cycles of the busiest core, with the placement's serial stages and cut axes filled in. The group is
// placeable; `rows` is one of row_choices where it has panels.
//
// max(arithmetic, traffic) plus a share of the lesser one, which hides behind the other but uses its
// queues. Arithmetic: of every member as often as it is computed, on the busiest core. Traffic: every
// tensor from outside once, at the rate of the cache that it fits into, and all constants for every panel.
GroupPrice placed_price(const OperatorGraph &graph, const PlacedGroup &group, RowChoice rows,
                        const Machine &machine);

}  // namespace emulsion
