// What a group takes as one kernel of a GPU.
#pragma once

#include "fusion/group_cost.h"
#include "fusion/machine.h"
#include "fusion/operator_graph.h"
#include "fusion/placement.h"

namespace emulsion {

// Cycles with the cheapest way to cut the root into workgroups, which is filled in with the axes that it cuts
// the panels along. Refused where the group can't be computed so: two sums in one loop nest, a loop nest
// that has no place for panels or can't be one, panels that no workgroup's LDS can hold.
//
// Every workgroup computes a block of the root, and before it what the block needs of every panel, in LDS.
// So panels cost what they have in common between workgroups as often as there are workgroups. What comes
// from outside is read through the second-level cache by every workgroup that needs it, and once from
// memory, if it doesn't stay in that cache from one kernel to the next.
GroupPrice gpu_price(const OperatorGraph &graph, const PlacedGroup &group,
                     const GpuMachine &machine);

}  // namespace emulsion
