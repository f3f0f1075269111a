// The copies of Funcs that a plan has for some of their readers.
#pragma once

#include <Halide.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "fusion/plan.h"

namespace emulsion {

// Has Halide make them, each under the plan's name for it added to `env`, the Funcs of the pipeline by name. Returns the
// Funcs that they are copies of, by Halide's names of the copies. Throws Error where the plan doesn't fit the pipeline;
// `fixed` are Funcs that stay as they are.
std::map<std::string, std::string> make_copies(const std::vector<PlannedCopy> &copies,
                                               const std::set<std::string> &fixed,
                                               std::map<std::string, Halide::Func> &env);

}  // namespace emulsion
