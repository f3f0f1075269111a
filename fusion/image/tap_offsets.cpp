#include "fusion/image/tap_offsets.h"

#include <algorithm>

namespace emulsion {

std::vector<Offsets> offsets_of(const std::set<Tap> &taps) {
    std::vector<Offsets> offsets;
    for (const Tap &tap : taps) {
        const bool first = offsets.empty();
        offsets.resize(tap.size());
        for (size_t axis = 0; axis < tap.size(); axis++) {
            const TapIndex &index = tap[axis];
            Offsets &all = offsets[axis];
            all.known = all.known && index.axis >= 0 && index.scale == 1;
            all.has_steps = all.has_steps || (index.other.empty() && index.axis >= 0);
            all.has_computed = all.has_computed || !index.other.empty();
            all.least = first ? index.offset : std::min(all.least, index.offset);
            all.most = first ? index.offset : std::max(all.most, index.offset);
        }
    }
    return offsets;
}

}  // namespace emulsion
