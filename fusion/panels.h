// Stages: groups in which values are computed panel by panel of the root's rows instead of being stored
// whole. How large such a panel is, and what it costs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fusion/machine.h"
#include "fusion/operator_graph.h"
#include "fusion/policy.h"

namespace emulsion {

// One panel of a group, and what all of them take.
struct Panel {
    std::string refused;       // why there can be none; empty if there can
    int64_t rows = 1;          // of the root
    bool single_rows = false;  // the root computes them one at a time
    int64_t count = 1;         // panels of the group
    int64_t bytes = 0;         // of the values that are computed for it
    double recompute =
        1.0;                // multiply-adds of all panels over those of the operators by themselves
    double cycles = 0.0;    // of the busiest core for all of them
    double overhead = 0.0;  // of these, what is not arithmetic that the cores share evenly
    // Per panel of the group: the axes of which a panel has only a part.
    std::vector<std::vector<int>> cut;
};

// The panel that takes the least time, for a group that has panels.
Panel best_panel(const OperatorGraph &graph, const ChosenGroup &group, const Machine &machine);

}  // namespace emulsion
