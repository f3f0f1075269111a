// Which placements of a group's members Halide, the loop nests and the caches allow.
#pragma once

#include <string>

#include "fusion/machine.h"
#include "fusion/operator_graph.h"
#include "fusion/placement.h"

namespace emulsion {

class GroupView;

// Why Halide and the loop nests can't compute a group whose `panels` and `wholes` are given, or why its
// kept values find no room in the caches; empty if they can. Rows are not looked at.
std::string unplaceable_because(const OperatorGraph &graph, const PlacedGroup &group,
                                const CpuMachine &machine);

// Of that the part that holds for every machine: a stage's loops are those of the one member that has loops
// of its own, and what follows it in the stage is its epilogue.
std::string misplaced_reduction(const GroupView &group);

// Why the loop nest of the root's stage can't compute panels inside of it, or the one of member `i` can't compute a
// panel; empty if they can. For every machine.
std::string no_place_for_panels(const GroupView &group);
std::string no_panel(const GroupView &group, size_t i);

// Of the private cache, what panels of a group's values may fill, and all values that are kept whole.
double most_panel_bytes(const CpuMachine &machine);
double most_whole_bytes(const CpuMachine &machine);
// What the smallest panels of a group may fill: where the private cache doesn't hold them, the shared one does, sooner
// than memory does what they stand for.
double most_shared_panel_bytes(const CpuMachine &machine);

}  // namespace emulsion
