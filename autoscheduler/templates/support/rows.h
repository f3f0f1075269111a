// The loop nest behind element-wise operators and row reductions: the root is computed row by row,
// vectors along the row, rows in parallel; reductions of a row are computed just before it.
#pragma once

#include <string>

#include "autoscheduler/templates/template.h"

namespace emulsion {

// Parameters: column_axis (vectors run along it), vector (elements), tasks (into how many parallel
// tasks the rows are cut, about; 0: serial).
NestSpace rows_space(const std::string &template_name, const NestSubject &subject, int column_axis);

void apply_rows(const NestFuncs &funcs, const Nest &nest);

}  // namespace emulsion
