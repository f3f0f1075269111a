// An explanation as text for people and as JSON for programs.
#pragma once

#include <string>

#include "bench/explain/explanation.h"
#include "bench/json_file.h"

namespace emulsion {

// A summary and a line per group; `verbose`: every operator, tensor and refusal.
std::string explanation_text(const Explanation &explanation, bool verbose);

Json to_json(const Explanation &explanation);

}  // namespace emulsion
