#include "fusion/image/moving_axes.h"

#include <algorithm>
#include <map>

namespace emulsion {

namespace {

using Axes = uint64_t;  // bit a: axis a

bool depends_on(const TapIndex &index, Axes axes, size_t rank) {
    for (size_t axis = 0; axis < rank; axis++) {
        if (((axes >> axis) & 1) != 0 && index.depends_on(static_cast<int>(axis))) {
            return true;
        }
    }
    return false;
}

// Axes of what is read there that move while `moving` axes of the reader do. `iterates`: its reduction loops as well,
// which are all else that an index may depend on.
Axes axes_through(const Tap &tap, Axes moving, size_t rank, bool iterates) {
    Axes axes = 0;
    for (size_t i = 0; i < tap.size(); i++) {
        const bool iterated = iterates && !tap[i].is_constant() && tap[i].axis < 0;
        if (iterated || depends_on(tap[i], moving, rank)) {
            axes |= Axes{1} << i;
        }
    }
    return axes;
}

}  // namespace

bool moves_with_tiles(const ImageGraph &graph, const StagePlacements &placements,
                      const ImageGroup &group, int i, int axis) {
    std::map<int, Axes> moving;  // by stage that a tile computes
    for (size_t cut = 0; cut < group.shape.block.size(); cut++) {
        moving[group.root] |= group.shape.block[cut] > 0 ? Axes{1} << cut : 0;
    }
    for (int reader = group.root; reader > i; reader--) {
        const bool computed =
            reader == group.root || placements[static_cast<size_t>(reader)] == Placement::Inline ||
            std::binary_search(group.members.begin(), group.members.end(), reader);
        if (moving.count(reader) == 0 || !computed) {
            continue;
        }
        const ImageStage &stage = graph.stages[static_cast<size_t>(reader)];
        for (const Definition &definition : stage.definitions) {
            for (const ImageRead &read : definition.reads) {
                for (const Tap &tap : read.taps) {
                    moving[read.producer] |=
                        axes_through(tap, moving.at(reader), stage.extents.size(),
                                     group.shape.sweep && reader == group.root);
                }
            }
        }
    }
    return ((moving[i] >> axis) & 1) != 0;
}

}  // namespace emulsion
