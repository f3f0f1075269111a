// How long planning takes.
#pragma once

#include <string>
#include <vector>

#include "bench/json_file.h"

namespace emulsion {

struct CompileOptions;

// Plans a model under every policy and prints how long that takes and what is found: of the operators' loop nests,
// which is done once, and of the groups. The same as JSON. Throws Error.
Json time_planning(const std::string &model, const std::vector<std::string> &policies,
                   const CompileOptions &options);

}  // namespace emulsion
