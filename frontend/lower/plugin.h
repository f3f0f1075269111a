// The Gao2025 plugin, loaded into this process the way any Halide program loads it.
#pragma once

#include <Halide.h>

#include "autoscheduler/plugin_path.h"
#include "fusion/plan.h"

namespace emulsion {

// Loads it once per process. Throws Error (kind Failed) where it is missing.
void load_gao2025();

// Applies the plan of a unit to its Funcs (group_funcs.h). Throws Error where the plugin refuses the plan or one of its
// loop nests, and Halide::Error where Halide fails.
Halide::AutoSchedulerResults apply_gao2025(Halide::Pipeline &pipeline, const Halide::Target &target,
                                           const Plan &plan);

}  // namespace emulsion
