// Reads through stages that are inlined.
#pragma once

#include "fusion/image/image_graph.h"

namespace emulsion {

// Where `inner` reads, in terms of a reader that reads its owner at `outer`.
Tap composed(const Tap &outer, const Tap &inner);

}  // namespace emulsion
