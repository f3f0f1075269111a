// The Gao2025 plugin, loaded into this process the way any Halide program loads it.
#pragma once

#include <Halide.h>

#include <string>

#include "fusion/plan.h"

namespace emulsion {

// Path of libautoschedule_gao2025.so: ../lib beside this program's folder.
std::string gao2025_path();

// Loads it once per process. Throws Error (kind Failed) where it is missing.
void load_gao2025();

// What applies the plan of a unit to its Funcs (group_funcs.h).
Halide::AutoschedulerParams gao2025_applying(const Plan &plan);

}  // namespace emulsion
