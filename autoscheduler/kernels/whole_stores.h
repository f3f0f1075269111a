// Sums in vectors whose last iteration has fewer elements than lanes, on CPUs.
//
// Halide stores such a vector under a mask. LLVM then keeps the sums in memory instead of a register, and a processor
// waits until the masked store has left its store buffer before it reads from there: 20 cycles for each row of a matrix
// whose rows are summed up.
#pragma once

#include <Halide.h>

namespace emulsion {

// A vector of a local array that is stored under a mask is stored whole, with the lanes that the mask leaves out as they
// were. Only where the array has all lanes, whatever the mask, and one thread alone has the array.
Halide::Internal::Stmt with_whole_stores(const Halide::Internal::Stmt &statement);

}  // namespace emulsion
