// What is decided at a point of an image graph's space (fusion/image/image_space.h).
#pragma once

#include "fusion/image/decisions.h"
#include "fusion/machine.h"
#include "fusion/nest.h"

namespace emulsion {

// The places that the point gives to stages; for the others, and for what tiles it leaves open, those with the least
// price. What it says of the tiles of a stage that has none there counts for nothing. Throws Error, in one sentence, for
// what is no point of the space, and for places and tiles that can't be together.
ImageDecisions decisions_at(const ImageGraph &graph, const CpuMachine &machine, const Nest &point);

// `point` with the tiles of all groups that are decided there.
Nest with_tiles(Nest point, const ImageGraph &graph, const ImageDecisions &decisions);

}  // namespace emulsion
