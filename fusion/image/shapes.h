// The tiles that the root of a group of stages may be cut into.
#pragma once

#include <vector>

#include "fusion/image/decisions.h"
#include "fusion/machine.h"

namespace emulsion {

// Never empty; `unrolled_axis` is cut by none. `has_members`: shapes that compute members row by row, and in every iteration of the
// reduction loops of definition `host`, are among them.
std::vector<Shape> candidate_shapes(const ImageStage &root, int unrolled_axis, int host,
                                    bool has_members, const CpuMachine &machine);

}  // namespace emulsion
