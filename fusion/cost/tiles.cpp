#include "fusion/cost/tiles.h"

#include <algorithm>

namespace emulsion {

std::vector<std::vector<int64_t>> tiles_of(const OperatorGraph &graph, const PlacedGroup &group,
                                           const std::vector<int64_t> &tile) {
    const auto op = [&](size_t i) -> const PlannerOperator & {
        return graph.operators[static_cast<size_t>(group.members[i])];
    };
    const std::vector<int> &wholes = group.placement.wholes;
    std::vector<std::vector<int64_t>> tiles(group.members.size());
    tiles.back() = tile;
    for (size_t i = group.members.size(); i-- > 0;) {
        if (std::binary_search(wholes.begin(), wholes.end(), group.members[i])) {
            tiles[i] = graph.values[static_cast<size_t>(op(i).result)].extents;
        }
        for (const Operand &operand : op(i).implementation.operands) {
            for (size_t j = 0; j < i; j++) {
                if (op(j).result != operand.value) {
                    continue;
                }
                const std::vector<int64_t> reads = operand.footprint.needed(
                    tiles[i], graph.values[static_cast<size_t>(operand.value)].extents);
                tiles[j].resize(reads.size(), 0);
                for (size_t axis = 0; axis < reads.size(); axis++) {
                    tiles[j][axis] = std::max(tiles[j][axis], reads[axis]);
                }
            }
        }
    }
    return tiles;
}

bool hosts_panels(const Value &result, const PanelLoops &loops) {
    const auto is_axis = [&](int axis) {
        return axis >= 0 && static_cast<size_t>(axis) < result.extents.size();
    };
    return is_axis(loops.cut_axis()) &&
           std::all_of(loops.outer_axes.begin(), loops.outer_axes.end(), is_axis);
}

std::vector<int64_t> panel_of(const Value &result, const PanelLoops &loops, int64_t rows) {
    std::vector<int64_t> tile = result.extents;
    for (const int axis : loops.outer_axes) {
        tile.at(static_cast<size_t>(axis)) = 1;
    }
    int64_t &cut = tile.at(static_cast<size_t>(loops.cut_axis()));
    cut = std::min(rows, cut);
    return tile;
}

}  // namespace emulsion
