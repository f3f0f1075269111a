// Random input data that is the same on every machine.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "bench/npy.h"

namespace emulsion {

// Random elements: normal with mean 0 and standard deviation 1 for floats, 0 to 9 for integers, fair
// coins for booleans. Integer inputs are indices or classes more often than not, and small ones are
// likely to be in range. Different names give independent data.
Array random_array(DataType type, std::span<const int64_t> shape, uint64_t seed,
                   std::string_view name);

}  // namespace emulsion
