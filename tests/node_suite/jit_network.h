// A network run as its artifact would run, with the units compiled through Halide's JIT instead of
// into a library: the same plan, arena, weights and halos, without the seconds that a linker and an object
// file cost.
#pragma once

#include <vector>

#include "bench/npy.h"
#include "frontend/lower/network.h"

namespace emulsion::test {

// The outputs of `network` (planned from `graph`) in the graph's order. `inputs` have the types and
// shapes of the graph's. Throws Error (failed) for what a unit complains of.
std::vector<Array> run_jit(const Graph &graph, PlannedNetwork network,
                           const std::vector<Array> &inputs);

}  // namespace emulsion::test
