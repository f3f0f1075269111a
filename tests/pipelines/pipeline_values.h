// What a random pipeline computes.
#pragma once

#include <string>
#include <vector>

#include "tests/pipelines/random_pipeline.h"

namespace emulsion::test {

using Buffers = std::vector<Halide::Buffer<>>;

void store_everything(const RandomPipeline &made);

// All values of all outputs, dense. Asks for sizes first, because tiles may need more than the results have.
Buffers computed(const RandomPipeline &made, const Halide::Target &target);
// The same with every Func stored, in a quarter of the memory that each may take above. Throw Halide::Error.
Buffers computed_stored(const RandomPipeline &made, const Halide::Target &target);

// The first element that differs, by more than sums of floats may in another order; empty: none does.
std::string difference(const Buffers &expected, const Buffers &found);

}  // namespace emulsion::test
