#include "fusion/footprint.h"

#include <algorithm>

#include "fusion/ceil_div.h"

namespace emulsion {

namespace {

// From the first one to the last one of what `elements` read, `divisor` in a row the same: whole rows of these begin at
// the first of them, others anywhere.
int64_t steps_of(int64_t elements, int64_t divisor) {
    const bool whole = elements % divisor == 0;
    return ceil_div(whole ? elements - divisor : elements - 1, divisor);
}

}  // namespace

std::vector<int64_t> Footprint::needed(const std::vector<int64_t> &tile,
                                       const std::vector<int64_t> &extents) const {
    std::vector<int64_t> result = extents;
    for (size_t i = 0; i < axes.size(); i++) {
        const AxisReach &reach = axes[i];
        if (reach.whole) {
            continue;
        }
        const int64_t steps =
            reach.axis < 0 ? 0 : steps_of(tile.at(static_cast<size_t>(reach.axis)), reach.divisor);
        result[i] = std::min(extents[i], steps * reach.stride + reach.window);
    }
    return result;
}

}  // namespace emulsion
