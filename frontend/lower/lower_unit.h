// From a unit to what Halide generates code from.
#pragma once

#include <Halide.h>

#include <functional>
#include <string>
#include <vector>

#include "frontend/lower/unit.h"
#include "fusion/code_features.h"

namespace emulsion {

struct LoweredUnit {
    // One function: int(void *user_context, halide_buffer_t *inputs..., halide_buffer_t *output).
    Halide::Module module;
    std::string schedule;  // Halide's scheduling calls, as C++ text
    int shrinks = 0;       // how often the loop nests were made smaller
    Plan plan;             // the unit's, with the loop nests that it was lowered with
};

// What the unit's code is generated for: `unit.target` without a runtime of its own, and without checks unless
// the unit is checked and for a CPU.
Halide::Target unit_target(const Unit &unit);

// Schedules the unit through the Gao2025 plugin from its plan, or with smaller loop nests where Halide can't lower
// the planned ones, or fails in `generate`, which makes code of what was lowered; `name` is the function's. To be
// called in a process that has made no Funcs before, so that names (and bytes) do not depend on history. Throws Error
// and Halide::Error.
LoweredUnit lower_unit(const Unit &unit, const std::string &name,
                       const std::function<void(const LoweredUnit &)> &generate = {});

// Features of what the unit is lowered to with the loop nests of its plan, in a tenth of a second; and their versions. As lower_unit, to be
// called in a process that has made no Funcs before. Throws Error and Halide::Error.
CodeFeatures unit_features(const Unit &unit);
CodeFeatureVersions unit_features_versions();

}  // namespace emulsion
