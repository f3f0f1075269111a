// Rows of sums that are added up in registers side by side.
#pragma once

#include "fusion/image/decisions.h"
#include "fusion/machine.h"

namespace emulsion {

struct RegisterRows {
    int axis = -1;  // of the stage; -1: one row at a time
    int64_t rows = 1;
};

// Of the sums that stage `i`, the root of a group or one of its panels, computes in registers, `vectors` of columns side
// by side, with `operations` per element of it: as many rows as hide how long an addition takes, if its tiles have
// them.
RegisterRows register_rows(const ImageDecisions &decisions, const ImageGroup &group, int i,
                           int64_t vectors, double operations, const CpuMachine &machine);

}  // namespace emulsion
