// How the rows of a group's result are cut into panels, and these into tasks.
#pragma once

#include <cstdint>
#include <vector>

#include "fusion/machine.h"
#include "fusion/operator_graph.h"
#include "fusion/placement.h"

namespace emulsion {

struct RowChoice {
    int64_t rows = 1;
    bool single_rows = false;  // the root computes rows one at a time, not in its own blocks
    int64_t task_panels = 1;   // panels of a task: they share the rows that they have in common
};

// The choices of a group that is placeable; one where it has no panels.
std::vector<RowChoice> row_choices(const OperatorGraph &graph, const PlacedGroup &group,
                                   const CpuMachine &machine);

}  // namespace emulsion
