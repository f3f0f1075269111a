// What units are lowered to, for what learns from code: in worker processes, without compiling.
#pragma once

#include <span>
#include <vector>

#include "backend/compiler.h"

namespace emulsion {

// Of every unit the features of its statements (autoscheduler/lowered/statement_features.h), with the loop nests of its plan; none of a
// unit that can't be lowered with these. Of `options.plan` nothing is read. Throws Error where there is no worker.
std::vector<std::vector<std::vector<float>>> unit_statements(std::span<const Unit *const> units,
                                                             const CompileOptions &options);

}  // namespace emulsion
