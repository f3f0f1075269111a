// The loops of a result that is computed a tile at a time (transformed_tile.h):
//
//     parallel for task in (outer axes, panels of `task_rows` rows or some of the tiles):
//       for tiles of `width` (and `height`), for vectors of columns:
//         rows[what the tile needs][vector] = ...
//         unrolled: result[every element of the tile][vector] = ...
//
// Tiles begin at multiples of their size: the last ones are cut off where a result ends. Results of other stages are
// computed for panels of whole tiles along the height.
#pragma once

#include "autoscheduler/templates/template.h"

namespace emulsion {

// What any nest must be.
NestSpace transform_domains(int rank);
NestSpace transform_bounds(const NestFuncs &funcs);

// One panel is the intermediate Func.
void apply_transform(const NestFuncs &funcs, const Nest &nest);

// How much of the root a panel is for, by axis.
std::vector<int64_t> transform_panel(const Nest &nest, const std::vector<int64_t> &extents);

}  // namespace emulsion
