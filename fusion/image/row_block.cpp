#include "fusion/image/row_block.h"

#include <algorithm>

#include "fusion/image/code_limits.h"
#include "fusion/image/register_rows.h"
#include "fusion/image/unrolled_code.h"

namespace emulsion {

bool has_row_block(const ImageDecisions &decisions, const ImageGroup &group, int i,
                   const RowBlock &block, const CpuMachine &machine) {
    const ImageStage &s = decisions.graph.stages[static_cast<size_t>(i)];
    const bool is_root = i == group.root;
    if (block.rows < 2 || !s.is_pure() || s.extents.size() < 2 ||
        (!is_root && group.shape.slide_axis >= 0)) {
        return false;
    }
    const auto rows = is_root ? group.shape.block[1]
                              : static_cast<int64_t>(computed_at_a_time(decisions, group, i)[1]);
    const CodeLimits limits =
        code_limits(s, stage_costs(decisions.graph, decisions.placements, i, machine));
    return rows >= block.rows && (!is_root || rows % block.rows == 0) &&
           block.columns * block.rows <= std::min(kMostSideBySide, limits.side_by_side);
}

}  // namespace emulsion
