// Other loop nests than planned in a network or in one of its units; constants lie as these nests read them
// (fusion/constant_blocks.h).
#pragma once

#include "frontend/lower/network.h"

namespace emulsion {

// Has the unit of a group of the network, a copy of it, compute in that nest, a point of the group's space.
void set_nest(const PlannedNetwork &network, PlannedGroup group, const Nest &nest, Unit &unit);

// Has the units compute in the nests of the plan's groups, which were changed.
void follow_nests(PlannedNetwork &network);

}  // namespace emulsion
