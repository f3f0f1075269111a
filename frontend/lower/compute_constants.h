// Weights as the implementations that were decided want them.
#pragma once

#include "frontend/lower/network.h"

namespace emulsion {

// Computes what network.constant_nodes make and puts it into network.graph; once, the second call finds nothing to do.
// Needed before weights are written. Throws Error for what can't be computed.
void compute_constants(PlannedNetwork &network);

}  // namespace emulsion
