// Sums with few results over many elements, histograms among them: tasks add up shares of the outermost reduction loop in
// parallel.
#pragma once

#include <cstdint>
#include <vector>

#include "fusion/image/stage_cost.h"

namespace emulsion {

// Iterations of the loop that a task may take, for a root without members; none where there is nothing to share.
// `costs`: of its definitions.
std::vector<int64_t> candidate_shares(const ImageStage &root,
                                      const std::vector<DefinitionCost> &costs,
                                      const CpuMachine &machine);

// Whether `reader` reads a copy of a stage, perhaps through inlined ones. Halide gives a copy to the Funcs that it is made
// for, and not to those that have shares of their sums.
bool reads_copies(const ImageGraph &graph, const StagePlacements &placements, int reader);

// Tasks that the only update of `root` makes of shares.
double tasks_of_shares(const ImageStage &root, int64_t share);

// Cycles of that update, with adding up what the tasks have.
double shared_cycles(const ImageStage &root, const DefinitionCost &cost, int64_t share,
                     const CpuMachine &machine);

}  // namespace emulsion
