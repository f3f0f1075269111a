// What a unit computes, apart from how: under this name measurements of its loop nests are kept and compared.
#pragma once

#include <string>

#include "frontend/lower/unit.h"

namespace emulsion {

// "p" and 32 hex digits: hash of all that the unit's code depends on but its loop nests.
std::string problem_key(const Unit &unit);

}  // namespace emulsion
