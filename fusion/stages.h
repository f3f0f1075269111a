// The loop nests of a group: which operators each of them computes.
#pragma once

#include <vector>

#include "fusion/operator_graph.h"
#include "fusion/policy.h"

namespace emulsion {

// For each member, by position, the stage it is computed in: its own if its result is a panel or the
// group's, else that of its reader (of several, the earliest). The root's stage is the last one.
std::vector<int> stages_of(const OperatorGraph &graph, const ChosenGroup &group);

// The member whose loop nest a stage has: its last Many-to-Many one, else its last one.
int anchor_of(const OperatorGraph &graph, const ChosenGroup &group, const std::vector<int> &stages,
              int stage);

// The anchor of the root's stage.
const ImplementationChoice &stage_anchor(const OperatorGraph &graph, const ChosenGroup &group);

}  // namespace emulsion
