// Applies a plan to a Halide pipeline: compute_root, compute_at, inlining, and the loop nests.
#pragma once

#include <Halide.h>

#include <map>
#include <string>
#include <vector>

#include "fusion/plan.h"

namespace emulsion {

// Schedules all Funcs of the pipeline that ends in `outputs`. Throws Error if the plan does not fit:
// it must name every Func of the pipeline but wrappers (func_facts.h) once, and its own copies of Funcs, and nothing
// else. Interfaces (inputs, outputs) keep their layout. With `exact_estimates`, those of the Funcs inside hold for every
// call. Returns Halide's names of the Funcs, by those of the plan.
std::map<std::string, std::string> apply_plan(const std::vector<Halide::Func> &outputs,
                                              const Plan &plan, const Halide::Target &target,
                                              bool exact_estimates = false);

}  // namespace emulsion
