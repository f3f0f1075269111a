// The ways in which a group's members can be placed.
#pragma once

#include <functional>
#include <vector>

#include "fusion/group_cost.h"
#include "fusion/machine.h"
#include "fusion/operator_graph.h"

namespace emulsion {

// The cheapest placement of a group under placed_price. Every member but the root is computed where it is
// read, kept in panels, or kept whole; element-wise members that one other reads at the same places, and
// sums that one such member follows, are tried where they are read only, because keeping them saves
// nothing. Of groups with hundreds of placements, one that no other place of a single member makes cheaper. Refused
// where no placement will do, with the reason of the last that was tried.
GroupPrice best_placement(const OperatorGraph &graph, const std::vector<int> &members,
                          const Machine &machine);

// The same, with every member in every place.
GroupPrice best_placement_of_all(const OperatorGraph &graph, const std::vector<int> &members,
                                 const Machine &machine);

}  // namespace emulsion
