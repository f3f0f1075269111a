#include "fusion/image/block_axes.h"

#include <algorithm>
#include <set>

namespace emulsion {

namespace {

bool is_pinned(const Definition &definition) {
    return std::find(definition.pinned.begin(), definition.pinned.end(), true) !=
           definition.pinned.end();
}

// Whether something pinned is inlined into what is read there. `seen` are stages that have been looked at: many paths may
// lead to one.
bool reads_pinned(const ImageGraph &graph, const StagePlacements &placements,
                  const Definition &definition, std::set<int> &seen) {
    return std::any_of(
        definition.reads.begin(), definition.reads.end(), [&](const ImageRead &read) {
            if (read.producer < 0 ||
                placements[static_cast<size_t>(read.producer)] != Placement::Inline ||
                !seen.insert(read.producer).second) {
                return false;
            }
            const Definition &inlined =
                graph.stages[static_cast<size_t>(read.producer)].definitions.front();
            return is_pinned(inlined) || reads_pinned(graph, placements, inlined, seen);
        });
}

}  // namespace

std::vector<bool> block_axes(const ImageGraph &graph, const StagePlacements &placements,
                             int stage) {
    const ImageStage &s = graph.stages[static_cast<size_t>(stage)];
    std::vector<bool> blocks(s.extents.size(), true);
    for (const Definition &definition : s.definitions) {
        std::set<int> seen;
        const bool any = reads_pinned(graph, placements, definition, seen);
        for (size_t axis = 0; axis < blocks.size(); axis++) {
            const bool pinned = axis < definition.pinned.size() && definition.pinned[axis];
            blocks[axis] = blocks[axis] && !any && !pinned;
        }
    }
    return blocks;
}

}  // namespace emulsion
