// Small random graphs of tests/graphs for the property tests of planning and lowering.
#pragma once

#include <cstdint>

#include "tests/lower/execution.h"

namespace emulsion::test {

struct RandomNetwork {
    Graph graph;
    TensorValues inputs, reference;  // by tensor; the reference from plain loops
};

// One to six operators, with shapes that tiles like least: odd channel counts, groups of every kind, batches,
// extents of 1, values with several readers, outputs that are read again.
RandomNetwork random_network(uint64_t seed);

}  // namespace emulsion::test
