// Sums of a stage itself in registers: a Func of its own stores them, a few vectors at a time, so that they don't go
// through memory in every iteration of the reduction loops.
#pragma once

#include "autoscheduler/templates/template.h"

namespace emulsion {

// The optional parameter "own_sums", and for which Funcs it may be set.
void add_own_sums(const NestFuncs &funcs, NestSpace &space);

// The Func that stores the sums of `sum` for all of its readers: computed where `sum` was, with its layout.
Halide::Func stored_sums(Halide::Func sum);

}  // namespace emulsion
