// Vectors of a width that OpenCL C has no type for, and lanes that Halide has no name for.
//
// For loads with a stride Halide loads everything between as well, in a vector of any width, and shuffles the
// lanes. OpenCL C has vectors of 2, 3, 4, 8 and 16; and beyond lane 9 Halide counts lanes in decimal where
// OpenCL counts in hexadecimal.
#pragma once

#include <Halide.h>

namespace emulsion {

// Kernels for OpenCL load the lanes of such vectors one by one, those that are used.
Halide::Internal::Stmt with_opencl_widths(const Halide::Internal::Stmt &statement);

}  // namespace emulsion
