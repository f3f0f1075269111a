// The loop nests of a group, its stages: each computes one result that is kept (the group's, a panel or a
// whole value), and what is computed on the way to it.
#pragma once

#include <vector>

#include "fusion/operator_graph.h"
#include "fusion/placement.h"

namespace emulsion {

// Whether the result of `member` is kept: it is the root, a panel or a whole.
bool is_kept(const PlacedGroup &group, int member);

// For each member, by position, the stage it is computed in: its own if its result is kept, else that of
// its reader (of several, the earliest). Stages are numbered as their results are; the root's is the last.
std::vector<int> stages_of(const OperatorGraph &graph, const PlacedGroup &group);

// The member whose loop nest each stage has: its last one with loops of its own, else its last one.
std::vector<int> anchors_of(const OperatorGraph &graph, const PlacedGroup &group,
                            const std::vector<int> &stages);

}  // namespace emulsion
