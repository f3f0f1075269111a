// The scheduling calls of one Func or of one of its definitions, as C++ text: "\n    .split(...)\n    .reorder(...)".
#pragma once

#include <Halide.h>

#include <set>
#include <string>
#include <vector>

#include "autoscheduler/source_names.h"

namespace emulsion {

// Bounds and storage. Bounds that aren't constants are left to the algorithm, which has set them.
std::string storage_source(const Halide::Internal::Function &f, SourceNames &names);

// Loops. 0: those of the pure definition; i: of update i - 1. `is_made`: by rfactor(), which gives loops the order of
// those of the sum, so that they are always put in order.
std::string stage_source(const Halide::Internal::Function &f, int definition, SourceNames &names,
                         bool is_made = false);

// Of specialisations for outputs with so many elements along an axis, each from its ".specialize(...)" on: with the
// loops that are unrolled in it only. `outputs`: the names of all outputs.
std::vector<std::string> specialisations_source(const Halide::Internal::Function &f,
                                                const std::set<std::string> &outputs,
                                                SourceNames &names);

}  // namespace emulsion
