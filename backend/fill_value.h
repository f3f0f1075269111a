// The bits of a halo's or a block's fill value in a tensor's element type.
#pragma once

#include <cstdint>

#include "frontend/graph/data_type.h"

namespace emulsion {

// In the low size_of(type) bytes. -infinity means the lowest finite value, infinity the highest; other
// values that an integer type can't hold are clamped.
uint64_t fill_bits(double value, DataType type);

}  // namespace emulsion
