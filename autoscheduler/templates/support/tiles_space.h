// What nests of the template `tiles` may be.
#pragma once

#include <string>

#include "autoscheduler/templates/template.h"

namespace emulsion {

// The parameter that says how long tiles are along an axis.
std::string block_name(int axis);

// Whether the root has the same few elements along an axis in every call. Its loop may be unrolled then. It is specialised
// for as many where it has them only in calls for as many channels as are estimated, or is an output that is estimated to
// have few.
bool always_has_few_elements(const NestFuncs &funcs, int axis);

NestSpace bounds_of_tiles(const NestFuncs &funcs);

}  // namespace emulsion
