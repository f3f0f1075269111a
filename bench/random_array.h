// Random input data that is the same on every machine.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "bench/npy.h"
#include "frontend/graph/value_bounds.h"

namespace emulsion {

// Random elements: normal with mean 0 and standard deviation 1 for floats, 0 to 9 for integers, fair
// coins for booleans. Integer inputs are indices or classes more often than not: where `bounds` (of
// value_bounds) has both ends, all integers from one to the other are equally likely, also as floats;
// where it has one, up to ten from 0 or from the bound on. Bounds that hold nothing count for
// nothing. Different names give independent data.
Array random_array(DataType type, std::span<const int64_t> shape, uint64_t seed,
                   std::string_view name, const ValueBounds &bounds = {});

}  // namespace emulsion
