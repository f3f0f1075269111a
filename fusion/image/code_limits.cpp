#include "fusion/image/code_limits.h"

#include <algorithm>
#include <bit>

namespace emulsion {

CodeLimits both(const CodeLimits &a, const CodeLimits &b) {
    return {std::min(a.lanes, b.lanes), std::min(a.side_by_side, b.side_by_side)};
}

CodeLimits code_limits(const ImageStage &stage, const std::vector<DefinitionCost> &costs) {
    CodeLimits limits;
    for (const DefinitionCost &cost : costs) {
        limits.lanes = std::min(limits.lanes, cost.most_lanes);
        limits.side_by_side = std::min(limits.side_by_side, cost.most_side_by_side);
    }
    if (const int axis = unrolled_axis(stage, costs); axis >= 0) {
        const int64_t unrolled = stage.extents[static_cast<size_t>(axis)];
        limits.side_by_side = std::max<int64_t>(1, limits.side_by_side / unrolled);
    }
    const auto most = static_cast<uint64_t>(std::min(limits.lanes, limits.side_by_side));
    limits.lanes = static_cast<int64_t>(std::bit_floor(most));
    return limits;
}

}  // namespace emulsion
