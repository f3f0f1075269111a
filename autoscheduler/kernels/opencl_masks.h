// Masks that Halide leaves in kernels for OpenCL, and can't print.
//
// A vector that reaches beyond an edge (TailStrategy::GuardWithIf) is stored and loaded under a mask: a vector
// of bools. OpenCL C has no such stores. Halide takes them apart, a store for each lane, but has no text for
// what it takes from a mask then ("Unhandled intrinsic in C backend: extract_mask_element").
#pragma once

#include <Halide.h>

namespace emulsion {

// Takes the masks of OpenCL kernels apart before Halide does: lanes are stored and loaded under conditions of
// their own. Vectors without an edge stay whole.
Halide::Internal::Stmt without_masks(const Halide::Internal::Stmt &statement);

}  // namespace emulsion
