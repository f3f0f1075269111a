// Small operators at random, of the kinds that the templates of loop nests are for.
#pragma once

#include <cstdint>

#include "tests/lower/execution.h"

namespace emulsion::test {

// One operator, or one with an epilogue or behind a transposition, of float, double or whole numbers where the operator
// takes them. Seeds that follow each other make operators of different kinds.
Graph random_operator(uint64_t seed);

// Random values for the inputs of `graph`, whole and not all zero where they are integers.
TensorValues operator_inputs(const Graph &graph, uint64_t seed);

}  // namespace emulsion::test
