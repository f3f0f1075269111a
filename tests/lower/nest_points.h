// Points of the loop nests' spaces, drawn at random.
#pragma once

#include <optional>
#include <random>

#include "frontend/lower/network.h"

namespace emulsion::test {

// A valid point, drawn from a valid one parameter by parameter.
Nest random_nest(const NestSpace &space, const Nest &from, std::mt19937_64 &engine);

// A nest that is no point of the space: a parameter is missing, unknown or outside of its domain, or a
// constraint is broken.
Nest random_invalid_nest(const NestSpace &space, std::mt19937_64 &engine);

// The units of `network` with valid nests drawn at random.
void choose_other_nests(PlannedNetwork &network, std::mt19937_64 &engine);

// The space that a nest of a plan is a point of: its operator's.
const NestSpace &space_of(const PlannedNetwork &network, const PlannedMember &member);

}  // namespace emulsion::test
