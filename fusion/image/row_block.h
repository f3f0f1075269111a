// Rows of a stage that are computed side by side.
#pragma once

#include <cstdint>

#include "fusion/image/decisions.h"
#include "fusion/machine.h"

namespace emulsion {

inline constexpr int64_t kMostRowsOfBlock = 8;

struct RowBlock {
    int64_t columns = 1;  // elements side by side
    int64_t rows = 1;
    int64_t of_root = 1;  // those of the group's root
};

// Whether stage `i`, the root of a group or one of its panels, has such blocks: of a root whole ones in its tiles, and where
// rows are kept whole ones of the rows that are new for a block of the root's.
bool has_row_block(const ImageDecisions &decisions, const ImageGroup &group, int i,
                   const RowBlock &block, const CpuMachine &machine);

}  // namespace emulsion
