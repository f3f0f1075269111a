// Funcs whose values are indices.
#pragma once

#include <set>
#include <string>

#include "autoscheduler/regions.h"

namespace emulsion {

// Pure Funcs with a bitwise exclusive or of signed integers that others read for an index, perhaps through pure Funcs.
// Once they are inlined there, Halide leaves out the lower end of a clamp of it where it is not negative anyway, and
// then finds no lower bound of what the index reads.
std::set<std::string> index_values_without_bounds(const Regions &regions);

}  // namespace emulsion
