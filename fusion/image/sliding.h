// Stages that are computed row by row of the root of their group, while earlier rows are kept.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "fusion/image/stage_cost.h"

namespace emulsion {

using StageCosts = std::map<int, std::vector<DefinitionCost>>;  // by stage, of its definitions

// Those of the stages `row_axis` (by stage, the axis of its rows; the root is one of them) of which Halide keeps all
// rows of a tile, and for which rows of inputs are asked that nobody needs. Where a stage is computed rows ahead of the
// root, Halide begins that much earlier, and takes all readers of a row to begin then: if one that needs earlier
// rows doesn't, their rows don't go along with each other.
std::set<int> kept_whole(int root, const std::map<int, int> &row_axis, const StageCosts &costs);

// Those of which rows are computed again for every row of the root: Halide keeps the rows of a stage that has fewer than
// the root (`rows_per_row`, by stage), but sees no more which rows are new of what is read at other rows of that one, as
// at the levels of a pyramid.
std::set<int> computed_again(int root, const std::map<int, int> &row_axis,
                             const std::map<int, double> &rows_per_row, const StageCosts &costs);

// Whether one of the stages `row_axis` is read at rows, and at others that are computed of them: max(y, 0), say. Halide
// does not compute the first of such rows where it keeps them.
bool mixes_rows(const std::map<int, int> &row_axis, const StageCosts &costs);

// Whether rows are kept of too many stages that are read at rows which are computed (clamped to an image, say) of those
// that they are kept for: each makes what Halide infers of the next ones some three times as long.
bool nests_computed_rows(const std::map<int, int> &row_axis, const StageCosts &costs);

}  // namespace emulsion
