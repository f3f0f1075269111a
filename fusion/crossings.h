// Tensors that a loop nest walks across the order in which they lie: its vectors run along one axis of the
// result, and neighbours in memory are neighbours along another.
#pragma once

#include <vector>

#include "fusion/operator_graph.h"
#include "fusion/placement.h"

namespace emulsion {

// Of one loop nest of a group.
struct Crossing {
    double elements = 0.0;  // read or written one by one instead of in vectors
    // Axis of the result along which most of them are neighbours in memory; -1: none.
    int axis = -1;
    // A cache line has left until its next element is asked for, unless the nest computes blocks of that axis.
    bool far = false;
    // Blocks of that axis and of the vectors' are loaded in vectors, and turned in registers.
    bool turns = false;
};

// Whether the nest of a stage computes blocks because of a crossing that is far, or that blocks turn: where that has an
// axis, the nest has the parameter, and no panels are in its loops.
bool computes_blocks(const Crossing &crossing, const NestSpace &nest,
                     const GroupPlacement &placement, bool is_root);

// By stage (fusion/stages.h), for values whose order is known (Value::order), those that are kept inside of
// the group among them. Constants lie as nests want them.
std::vector<Crossing> crossings_of(const OperatorGraph &graph, const PlacedGroup &group,
                                   const std::vector<int> &stages, const std::vector<int> &anchors);

}  // namespace emulsion
