// Constants of double precision in kernels for OpenCL.
//
// Halide writes them down as floats, whatever their type: rounded, and infinite ones so that max and min of
// doubles don't compile.
#pragma once

#include <Halide.h>

namespace emulsion {

// Doubles that are no finite floats are given by their bits.
Halide::Internal::Stmt with_whole_doubles(const Halide::Internal::Stmt &statement);

}  // namespace emulsion
