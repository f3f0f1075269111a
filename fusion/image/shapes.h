// The tiles that the root of a group of stages may be cut into.
#pragma once

#include <cstdint>
#include <vector>

#include "fusion/image/decisions.h"
#include "fusion/machine.h"

namespace emulsion {

// Axes that tiles cut, at most. Their loops become one, and of the quotients and remainders of many Halide finds no
// bounds: it stores more than there is.
inline constexpr int64_t kMostCutAxes = 4;

// What candidates depend on beside the root's extents: the axis that is unrolled, which none cuts, or -1; the definition
// that computes members in its loops; of how many columns tiles of a root without rows are multiples; and the axis that
// its vectors run along.
struct ShapeLimits {
    int unrolled_axis = -1, host = 0;
    int64_t least_columns = 32;
    int vector_axis = 0;
};

// Never empty. `has_members`: shapes that compute members row by row, and in every iteration of the reduction loops of
// the host, are among them.
std::vector<Shape> candidate_shapes(const ImageStage &root, const ShapeLimits &limits,
                                    bool has_members, const CpuMachine &machine);

}  // namespace emulsion
