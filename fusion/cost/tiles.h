// What a tile of a group's result needs of each of its members.
#pragma once

#include <cstdint>
#include <vector>

#include "fusion/operator_graph.h"
#include "fusion/placement.h"

namespace emulsion {

// Extents of every member's result, by position, that `tile` of the root's result needs. A result that is
// kept whole is needed whole.
std::vector<std::vector<int64_t>> tiles_of(const OperatorGraph &graph, const PlacedGroup &group,
                                           const std::vector<int64_t> &tile);

// Whether `loops`, which may be those of another member, have room for panels: they are over axes that the group's
// result has.
bool hosts_panels(const Value &result, const PanelLoops &loops);

// What `rows` rows of the group's result are, at one step along the outer axes of `loops`,
// which hosts_panels; on a GPU, columns.
std::vector<int64_t> panel_of(const Value &result, const PanelLoops &loops, int64_t rows);

}  // namespace emulsion
