// What kind of decision a parameter of a loop nest is, as Ansor tells them apart.
#pragma once

#include <cstddef>
#include <string>

#include "fusion/nest_space.h"

namespace emulsion {

enum class ParameterRole {
    Structure,  // which loops there are, and in which order: decided by a sketch
    Location,   // where a stage is computed: decided by a sketch, and mutated
    Tile,       // how long a loop is
    Unroll,     // whether, or how far, loops are unrolled
    Parallel,   // how much is one task
};

ParameterRole role_of(const NestParameter &parameter);

// The parameter's name in its stage ("width" of "2.width"), and that stage; 0 where the space has a single one.
std::string own_name(const NestParameter &parameter);
size_t stage_of(const NestParameter &parameter);

}  // namespace emulsion
