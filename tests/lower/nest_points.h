// Planned networks with other points of their loop nests' spaces.
#pragma once

#include <random>

#include "frontend/lower/network.h"

namespace emulsion::test {

// The units of `network` with valid nests drawn at random.
void choose_other_nests(PlannedNetwork &network, std::mt19937_64 &engine);

// The space that a nest of a plan is a point of: its operator's.
const NestSpace &space_of(const PlannedNetwork &network, const PlannedMember &member);

}  // namespace emulsion::test
