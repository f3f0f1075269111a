// Rows of a stage that are computed side by side.
#pragma once

#include <cstdint>

#include "fusion/image/decisions.h"
#include "fusion/machine.h"

namespace emulsion {

struct RowBlock {
    int64_t columns = 1;  // elements side by side
    int64_t rows = 1;
};

// Whether stage `i`, the root of a group or one of its panels, has such blocks: rows that are not kept for later ones, and
// of a root tiles of whole blocks.
bool has_row_block(const ImageDecisions &decisions, const ImageGroup &group, int i,
                   const RowBlock &block, const CpuMachine &machine);

}  // namespace emulsion
