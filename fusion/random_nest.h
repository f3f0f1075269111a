// Points of a loop nest's space, drawn at random.
#pragma once

#include <random>

#include "fusion/nest_space.h"

namespace emulsion {

// A value of the domain: any size is as likely as any other of its magnitude.
int64_t random_value(const NestDomain &domain, std::mt19937_64 &engine);

// A valid point, drawn from a valid one parameter by parameter, so that constraints on many of them are met.
Nest random_nest(const NestSpace &space, const Nest &from, std::mt19937_64 &engine);

}  // namespace emulsion
