// Tiles of a result that are computed together because one intermediate Func, `rows`, serves all of their elements: a
// linear transform of a tile, along one axis after the other. Elements choose what they add up by where they are in
// their tile (FuncFacts::selectors); where a tile is unrolled, nothing is left of these choices.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "autoscheduler/templates/template.h"

namespace emulsion {

struct TransformedTile {
    int column_axis = -1;                   // of the result: vectors run along it
    int width_axis = -1, height_axis = -1;  // of the result; -1: there is no height
    int64_t width = 1, height = 1;          // elements of a tile

    // Elements of a tile along each of the result's `rank` axes, of which it has one column.
    std::vector<int64_t> extents(size_t rank) const;
};

// Of an operator of two parts, of which the first one is such a Func.
std::optional<TransformedTile> transformed_tile(const NestSubject &subject);

// Elements of `rows` along each of its axes that `result` reads for a tile of these extents that begins at 0. Nothing
// where that isn't known.
std::optional<std::vector<int64_t>> rows_of_tile(const FuncFacts &result, const std::string &rows,
                                                 const std::vector<int64_t> &tile);

}  // namespace emulsion
