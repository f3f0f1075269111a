// Which axes of a pure definition one loop can walk: rows that are no whole number of vectors, or of blocks, then have none
// that overlap, but the last one of all.
#pragma once

#include <vector>

#include "autoscheduler/templates/template.h"

namespace emulsion {

// How many of the root's axes in `order` (as they lie in memory, outermost first), counted from the last, are one in
// memory: in the root, and in whatever it reads of a buffer by them, the elements of all are equally far apart, and nothing
// else asks for them. At least 1.
int flat_axes(const NestFuncs &funcs, const std::vector<int> &order);

}  // namespace emulsion
