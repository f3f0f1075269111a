// How many rows the panels of a stage have.
#pragma once

#include <cstdint>
#include <optional>

#include "autoscheduler/templates/template.h"

namespace emulsion {

// Elements along axis `axis` that the smallest panel of funcs.root has. Nothing where it is no panel, where the
// panel's reader keeps rows from one panel to the next, or where that can't be found out.
std::optional<int64_t> fewest_rows(const NestFuncs &funcs, int axis);

}  // namespace emulsion
