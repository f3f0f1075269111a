#include "fusion/image/row_block.h"

#include <algorithm>
#include <vector>

#include "fusion/image/code_limits.h"
#include "fusion/image/register_rows.h"
#include "fusion/image/unrolled_code.h"

namespace emulsion {

namespace {

// Rows of a panel that are computed at a time: those of a tile, or where rows are kept the new ones for so many of the
// root.
int64_t rows_at_a_time(const ImageDecisions &decisions, ImageGroup group, int i, int64_t of_root) {
    if (group.shape.slide_axis < 0) {
        return static_cast<int64_t>(computed_at_a_time(decisions, group, i)[1]);
    }
    int64_t &rows = group.shape.block[static_cast<size_t>(group.shape.slide_axis)];
    rows = of_root;
    const double first = computed_at_a_time(decisions, group, i)[1];
    rows *= 2;
    return static_cast<int64_t>(computed_at_a_time(decisions, group, i)[1] - first);
}

// Halide counts on fewer rows of panels than there are in a block, and asks inputs for what lies before them.
bool reads_bare_inputs(const ImageDecisions &decisions, const ImageGroup &group,
                       const CpuMachine &machine) {
    std::vector<int> stages = group.members;
    stages.push_back(group.root);
    return std::any_of(stages.begin(), stages.end(), [&](int stage) {
        const auto costs = stage_costs(decisions.graph, decisions.placements, stage, machine);
        return std::any_of(costs.begin(), costs.end(),
                           [](const DefinitionCost &cost) { return cost.reads_bare_inputs; });
    });
}

}  // namespace

bool has_row_block(const ImageDecisions &decisions, const ImageGroup &group, int i,
                   const RowBlock &block, const CpuMachine &machine) {
    const ImageStage &s = decisions.graph.stages[static_cast<size_t>(i)];
    const bool is_root = i == group.root;
    if (block.rows < 2 || !s.is_pure() || s.extents.size() < 2) {
        return false;
    }
    if (!is_root && reads_bare_inputs(decisions, group, machine)) {
        return false;
    }
    const bool is_exact = is_root || group.shape.slide_axis >= 0;
    const int64_t rows =
        is_root ? group.shape.block[1] : rows_at_a_time(decisions, group, i, block.of_root);
    const CodeLimits limits =
        code_limits(s, stage_costs(decisions.graph, decisions.placements, i, machine));
    return rows >= block.rows && (!is_exact || rows % block.rows == 0) &&
           block.columns * block.rows <= std::min(kMostSideBySide, limits.side_by_side);
}

}  // namespace emulsion
