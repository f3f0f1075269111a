// The axes along which blocks of a stage may be computed.
#pragma once

#include <vector>

#include "fusion/image/image_graph.h"
#include "fusion/image/stage_cost.h"

namespace emulsion {

// By axis of a stage: whether blocks of elements along it may read sums of as many elements, computed for each block.
// Halide does not see how many those are where a condition, of the stage or of what is inlined into it, pins the axis.
std::vector<bool> block_axes(const ImageGraph &graph, const StagePlacements &placements, int stage);

}  // namespace emulsion
