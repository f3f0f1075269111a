#include "fusion/footprint.h"

#include <algorithm>

namespace emulsion {

std::vector<int64_t> Footprint::needed(const std::vector<int64_t> &tile,
                                       const std::vector<int64_t> &extents) const {
    std::vector<int64_t> result = extents;
    for (size_t i = 0; i < axes.size(); i++) {
        const AxisReach &reach = axes[i];
        if (reach.whole) {
            continue;
        }
        const int64_t steps = reach.axis < 0 ? 0 : tile.at(static_cast<size_t>(reach.axis)) - 1;
        result[i] = std::min(extents[i], steps * reach.stride + reach.window);
    }
    return result;
}

}  // namespace emulsion
