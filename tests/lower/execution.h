// Runs a planned network the way a compiled one runs, but through Halide's JIT: every unit is built,
// scheduled by the plugin from its plan, and compiled for its target; tensors lie where the plan wants
// them, with poisoned memory around.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "frontend/lower/network.h"
#include "tests/lower/jit_unit.h"

namespace emulsion::test {

// What a tensor of the graph holds, row-major; empty where nothing has been computed.
using TensorValues = std::vector<std::vector<double>>;

// Random values for the inputs of `graph`, exact in their types.
TensorValues random_inputs(const Graph &graph, uint64_t seed);

// Every tensor, computed node by node in double precision with the default schedule.
TensorValues evaluate_reference(const Graph &graph, const TensorValues &inputs);

// Units that have been compiled, by their text, for tests that run many plans of one network.
using CompiledUnits = std::map<std::string, JitUnit>;

// Runs `network` and compares every planned value that is read or written, and that `reference` has
// (|error| <= 1e-4 + 1e-3 |reference|, none for integers); also that nothing outside of interiors is
// written. Returns what is wrong, one sentence, or "". Units that are not in `compiled` are compiled, and
// put there.
std::string run_and_compare(PlannedNetwork network, const TensorValues &inputs,
                            const TensorValues &reference, CompiledUnits *compiled = nullptr);

// The nodes of a network, and a plan's groups with their nests, for messages.
std::string dump(const Graph &graph);
std::string describe(const PlannedNetwork &network);

}  // namespace emulsion::test
