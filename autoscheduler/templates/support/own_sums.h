// Sums of a stage itself in registers: a Func of its own stores them, a few vectors at a time, so that they don't go
// through memory in every iteration of the reduction loops.
#pragma once

#include "autoscheduler/templates/template.h"

namespace emulsion {

// The optional parameter "own_sums", and for which Funcs it may be set.
void add_own_sums(const NestFuncs &funcs, NestSpace &space);

}  // namespace emulsion
