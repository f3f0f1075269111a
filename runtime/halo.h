// Filling the halo of a tensor before the kernel that writes its interior.
#pragma once

#include "runtime/tables.h"

namespace emulsion::runtime {

// Writes `pattern` (the low element_bytes bytes) into every element of a buffer that lies in the
// margins `before` and `after` of some dimension. `data` is the element at the minima.
struct HaloBuffer {
    char *data;
    int element_bytes;
    int dimension_count;
    const EmulsionDimension *dimensions;
};
void fill_halo(const HaloBuffer &buffer, const int64_t *before, const int64_t *after,
               uint64_t pattern);

// The halo `fill` of `view`, whose element at the minima is at `data`.
void fill_halo(const EmulsionView &view, const EmulsionFill &fill, char *data);

}  // namespace emulsion::runtime
