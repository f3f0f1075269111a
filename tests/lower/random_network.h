// Random small networks for the property tests of planning and lowering.
#pragma once

#include <cstdint>

#include "frontend/graph/graph.h"

namespace emulsion::test {

// A few operators with shapes that tiles like least: odd channel counts, groups of every kind, batches,
// extents of 1, values with several readers, outputs that are read again.
Graph random_network(uint64_t seed);

}  // namespace emulsion::test
