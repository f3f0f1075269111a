#include "fusion/image/register_rows.h"

#include <algorithm>

#include "fusion/image/block_axes.h"
#include "fusion/image/unrolled_code.h"
#include "fusion/image/vectors.h"

namespace emulsion {

namespace {

// Of the registers, those that hold sums: the others hold what is added.
constexpr double kRegistersPerSum = 2.0;
// The code of a block has so many operations at most: compilers need minutes for more.
constexpr double kMostOperations = 200.0;

}  // namespace

Extents computed_at_a_time(const ImageDecisions &decisions, const ImageGroup &group, int i) {
    const ImageStage &root = decisions.graph.stages[static_cast<size_t>(group.root)];
    Extents tile;
    for (size_t axis = 0; axis < root.extents.size(); axis++) {
        const int64_t block = group.shape.block[axis];
        tile.push_back(static_cast<double>(block > 0 ? std::min(block, root.extents[axis])
                                                     : root.extents[axis]));
    }
    std::set<int> stored(group.members.begin(), group.members.end());
    stored.insert(group.root);
    const int step = group.shape.sweep ? group.shape.host : -1;
    return needed_regions(decisions.graph, decisions.placements, stored, {group.root, tile, step})
        .at(i);
}

RegisterRows register_rows(const ImageDecisions &decisions, const ImageGroup &group, int i,
                           const RegisterRow &row, const CpuMachine &machine) {
    const ImageStage &sum = decisions.graph.stages[static_cast<size_t>(i)];
    const auto vectors = static_cast<double>(row.vectors);
    const auto elements = static_cast<double>(std::min(kMostSideBySide, row.side_by_side));
    const double suitable =
        row.wanted > 0
            ? static_cast<double>(row.wanted)
            : std::min(static_cast<double>(machine.vector_registers) / (kRegistersPerSum * vectors),
                       kMostOperations / (row.operations * vectors));
    const double most = std::min(
        suitable, elements / (vectors * static_cast<double>(lanes_of_vector(sum, machine))));
    const int slide_axis = group.shape.slide_axis;
    // Of a panel, rows are computed as they are needed, along whichever of its axes.
    if (most < 2.0 || (slide_axis >= 0 && i != group.root)) {
        return {};
    }
    const Extents tile = computed_at_a_time(decisions, group, i);
    const std::vector<bool> blocks = block_axes(decisions.graph, decisions.placements, i);
    for (size_t axis = 1; axis < tile.size(); axis++) {
        if (static_cast<int>(axis) == slide_axis || !blocks[axis]) {
            continue;
        }
        if (const auto rows = static_cast<int64_t>(std::min(most, tile[axis])); rows > 1) {
            return {static_cast<int>(axis), rows};
        }
    }
    return {};
}

}  // namespace emulsion
