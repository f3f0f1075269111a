// An explanation as text for people and as JSON for programs.
#pragma once

#include "bench/explain/explanation.h"
#include "bench/json_file.h"

namespace emulsion {

// On stdout: a summary and a line per group; `verbose`: every operator, tensor and refusal.
void print_explanation(const Explanation &explanation, bool verbose);

Json to_json(const Explanation &explanation);

}  // namespace emulsion
