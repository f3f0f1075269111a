// Bounds of an output, from what is known or estimated of it.
#pragma once

#include <Halide.h>

namespace emulsion {

// Constraints first, estimates where there are none. Throws Error naming the dimension that has
// neither.
Halide::Internal::Box output_box(const Halide::Internal::Function &f);

}  // namespace emulsion
