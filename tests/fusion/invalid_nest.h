// Nests that are none of a space's.
#pragma once

#include <random>

#include "fusion/nest_space.h"

namespace emulsion::test {

// A parameter is missing, unknown or outside of its domain, or a constraint is broken.
Nest random_invalid_nest(const NestSpace &space, std::mt19937_64 &engine);

}  // namespace emulsion::test
