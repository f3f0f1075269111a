// Rows of sums that are added up in registers side by side.
#pragma once

#include <cstdint>

#include "fusion/image/decisions.h"
#include "fusion/image/needed_regions.h"
#include "fusion/machine.h"

namespace emulsion {

struct RegisterRows {
    int axis = -1;  // of the stage; -1: one row at a time
    int64_t rows = 1;
};

// One row of such sums.
struct RegisterRow {
    int64_t vectors = 1;       // of columns side by side
    double operations = 0.0;   // per element
    int64_t side_by_side = 0;  // elements that compilers end with (CodeLimits)
    int64_t wanted = 0;        // rows; 0: as many as suit the machine
};

// What of stage `i`, the root of a group or one of its panels, is computed at a time: elements along each axis.
Extents computed_at_a_time(const ImageDecisions &decisions, const ImageGroup &group, int i);

// Of the sums that stage `i`, the root of a group or one of its panels, computes in registers: as many rows as hide how
// long an addition takes, if its tiles have them.
RegisterRows register_rows(const ImageDecisions &decisions, const ImageGroup &group, int i,
                           const RegisterRow &row, const CpuMachine &machine);

}  // namespace emulsion
