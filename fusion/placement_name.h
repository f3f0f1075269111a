// Placements as JSON has them.
#pragma once

#include <string>

#include "fusion/nest.h"

namespace emulsion {

const char *placement_name(Placement placement);
// Throws Error for a name that none has.
Placement placement_named(const std::string &name);

}  // namespace emulsion
