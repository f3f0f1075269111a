// The parts of a sum that Halide's rfactor() made, as source.
#pragma once

#include <Halide.h>

#include <string>

#include "autoscheduler/source_names.h"

namespace emulsion {

// Declares the Func `made`, which has parts of the sums of `sum`: lanes, and shares of tasks, or few lanes to which those
// of another one are folded. `folded`: the Func that folds those of `made`, or null. Empty where nothing of the reduction
// loops is left to call it by.
std::string rfactor_source(const Halide::Internal::Function &made,
                           const Halide::Internal::Function &sum,
                           const Halide::Internal::Function *folded, SourceNames &names);

// The place of a reduction loop in the Func `func`, as an expression.
std::string rvar_source(const std::string &func, size_t update, size_t rvar);

}  // namespace emulsion
