// Which axes of a group's members lie elsewhere, or are longer, from tile to tile of its root.
#pragma once

#include "fusion/image/decisions.h"

namespace emulsion {

// Whether what a tile needs of stage `i`, a member, depends along `axis` on where the tile is. Elsewhere it needs the same
// in every tile.
bool moves_with_tiles(const ImageGraph &graph, const StagePlacements &placements,
                      const ImageGroup &group, int i, int axis);

}  // namespace emulsion
