#include "fusion/image/composed_taps.h"

#include <cstdint>
#include <string>

namespace emulsion {

namespace {

std::string text_of(const Tap &tap) {
    std::string text;
    for (const TapIndex &index : tap) {
        text += index.other + "," + std::to_string(index.axis) + "*" + std::to_string(index.scale) +
                "+" + std::to_string(index.offset) + ";";
    }
    return text;
}

// Axes of a reader on which `index` depends, where it reads the index' owner at `outer`.
uint64_t axes_through(const TapIndex &index, const Tap &outer) {
    uint64_t axes = 0;
    for (size_t axis = 0; axis < outer.size(); axis++) {
        if (index.depends_on(static_cast<int>(axis))) {
            const TapIndex &at = outer[axis];
            axes |= !at.other.empty() ? at.others : at.axis >= 0 ? uint64_t{1} << at.axis : 0;
        }
    }
    return axes;
}

}  // namespace

Tap composed(const Tap &outer, const Tap &inner) {
    Tap tap;
    for (const TapIndex &index : inner) {
        TapIndex through = index;
        if (!index.other.empty()) {
            through.other += "@" + text_of(outer);
            through.others = axes_through(index, outer);
        } else if (index.axis >= 0) {
            const TapIndex &at = outer[static_cast<size_t>(index.axis)];
            if (!at.other.empty()) {
                through = {-1, index.scale, index.offset,
                           std::to_string(index.scale) + "*(" + at.other + ")", at.others};
            } else {
                through.axis = at.axis;
                through.scale = at.axis < 0 ? 1 : index.scale * at.scale;
                through.offset = index.offset + index.scale * at.offset;
            }
        }
        tap.push_back(through);
    }
    return tap;
}

}  // namespace emulsion
