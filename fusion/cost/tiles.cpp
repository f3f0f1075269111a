#include "fusion/cost/tiles.h"

#include <algorithm>
#include <map>

namespace emulsion {

std::vector<std::vector<int64_t>> tiles_of(const OperatorGraph &graph, const PlacedGroup &group,
                                           const std::vector<int64_t> &tile) {
    const auto op = [&](size_t i) -> const PlannerOperator & {
        return graph.operators[static_cast<size_t>(group.members[i])];
    };
    const std::vector<int> &wholes = group.placement.wholes;
    std::map<int, std::vector<int64_t>> needed;  // by value
    needed[op(group.members.size() - 1).result] = tile;
    std::vector<std::vector<int64_t>> tiles(group.members.size());
    for (size_t i = group.members.size(); i-- > 0;) {
        const bool whole = std::binary_search(wholes.begin(), wholes.end(), group.members[i]);
        tiles[i] = whole ? graph.values[static_cast<size_t>(op(i).result)].extents
                         : needed.at(op(i).result);
        for (const Operand &operand : op(i).implementations.front().operands) {
            const std::vector<int64_t> reads = operand.footprint.needed(
                tiles[i], graph.values[static_cast<size_t>(operand.value)].extents);
            auto [known, first] = needed.emplace(operand.value, reads);
            for (size_t axis = 0; !first && axis < reads.size(); axis++) {
                known->second[axis] = std::max(known->second[axis], reads[axis]);
            }
        }
    }
    return tiles;
}

std::vector<int64_t> panel_of(const Value &result, const PanelLoops &loops, int64_t rows) {
    std::vector<int64_t> tile = result.extents;
    for (const int axis : loops.outer_axes) {
        tile[static_cast<size_t>(axis)] = 1;
    }
    int64_t &cut = tile[static_cast<size_t>(loops.row_axis)];
    cut = std::min(rows, cut);
    return tile;
}

}  // namespace emulsion
