// What is not supported of a model, as text: of `check`, and where a command refuses a model.
#pragma once

#include <cstddef>
#include <string>

#include "frontend/graph/support_report.h"

namespace emulsion {

// Three lines for each of the first `most` refusals: where, why, and what to do; then how many are left, and
// how many refusals each operator type has. Ends with a newline.
std::string support_text(const SupportReport &report, size_t most);

}  // namespace emulsion
