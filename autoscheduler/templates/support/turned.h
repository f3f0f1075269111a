// A stage with another axis innermost than its readers want: vectors lie along that axis, so that loops that must run
// in order along the first, a filter that reads its own last results, say, work on a vector in every step. It is
// computed a tile at a time, and another Func turns the tile while it stores it.
#pragma once

#include "autoscheduler/templates/template.h"

namespace emulsion {

// The optional parameter "vector_axis", 0 where the first axis has the vectors, and which others may have them.
void add_vector_axis(const NestFuncs &funcs, NestSpace &space);

// The loops of such a Func, for a tile of what stores it: vectors of `vector` elements along `axis`; `tail`: where these
// don't fill the tile.
struct TurnedLoops {
    int axis = 1, vector = 1;
    Halide::TailStrategy tail = Halide::TailStrategy::ShiftInwards;
};
void make_turned_loops(Halide::Func f, const TurnedLoops &with);

}  // namespace emulsion
