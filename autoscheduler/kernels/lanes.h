// Single lanes of vectors.
#pragma once

#include <Halide.h>

namespace emulsion {

// Lane `lane` of `e`: of what it is made of where that is known, as the comparison of two lanes for the lane of a
// comparison, else taken out of the vector. A lane of a mask is a condition.
Halide::Expr lane_of(const Halide::Expr &e, int lane);

// A mask as a vector of zeros and ones, which OpenCL has lanes of; other vectors as they are.
Halide::Expr numbers_of(const Halide::Expr &e);

}  // namespace emulsion
