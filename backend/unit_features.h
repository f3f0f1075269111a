// What units are lowered to, for what learns from code: in worker processes, without compiling.
#pragma once

#include <span>
#include <vector>

#include "backend/compiler.h"
#include "fusion/code_features.h"

namespace emulsion {

// Features of the code of every unit with the loop nests of its plan; none of a unit that can't be lowered with these. Of `options.plan`
// nothing is read. Throws Error where there is no worker.
std::vector<CodeFeatures> features_of_units(std::span<const Unit *const> units,
                                            const CompileOptions &options);

}  // namespace emulsion
