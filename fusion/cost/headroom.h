// How much fusion could gain at most.
#pragma once

#include "fusion/machine.h"
#include "fusion/operator_graph.h"

namespace emulsion {

// Cycles of a run that moves no byte between operators: the arithmetic of all of them, each by its own loop
// nest on all cores, and the network's inputs, outputs and constants once; no kernel is started. What a
// plan is predicted to take over this is the headroom above it.
double cycles_without_intermediates(const OperatorGraph &graph, const Machine &machine);

}  // namespace emulsion
