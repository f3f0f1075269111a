// The plan that was compiled, where that is not the one that was made.
#pragma once

#include "backend/unit_builder.h"
#include "frontend/lower/network.h"

namespace emulsion {

// Puts the loop nests with which units were compiled in the end into the network's plan, so that what is written about
// an artifact is true of its code. The launches keep their units as they were planned: their keys name functions.
void record_nests(PlannedNetwork &network, const BuiltUnits &units);

}  // namespace emulsion
