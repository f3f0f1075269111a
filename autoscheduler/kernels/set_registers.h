// Registers of GPU threads hold something before they are read.
#pragma once

#include <Halide.h>

namespace emulsion {

// Sets the elements of registers to zero first that are stored only where a condition holds, and loaded elsewhere
// too. Halide leaves out a value where a select doesn't choose it, and evaluates both sides of the select
// nevertheless. That is meant to do no harm, but to compilers of kernels a branch on what was never set (there are
// branches in fmod and other functions) is undefined, and they take the select's condition for true.
// Of a lowered statement before kernels are taken out of it.
Halide::Internal::Stmt set_registers(const Halide::Internal::Stmt &statement);

}  // namespace emulsion
