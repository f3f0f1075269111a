// What a stage of an image graph is made of, that nothing else reads.
#pragma once

#include <vector>

#include "fusion/image/decisions.h"
#include "fusion/image/stage_facts.h"
#include "fusion/machine.h"

namespace emulsion {

// Cycles that those undecided stages will add which stage `i` alone reads, at its own place: stored, or inlined into all
// that computes `i`, whichever is less. `placements` has a place for `i`; `groups` are all that compute or read it, priced.
// To inline a stage for several groups may be to store several stages for it. (Stages that are read at more places are
// another matter: they may be computed in tiles.)
double own_producers_cycles(const ImageGraph &graph, StagePlacements placements,
                            const CpuMachine &machine, const StageFacts &facts, int i,
                            const std::vector<ImageGroup> &groups);

}  // namespace emulsion
