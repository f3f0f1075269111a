// Reductions of elements that lie side by side in memory: a vector holds as many partial results, several vectors side by
// side need not wait for each other, and at the end the lanes are combined.
#pragma once

#include <cstdint>

#include "autoscheduler/templates/template.h"

namespace emulsion {

// How many partial results there are of one element.
struct LaneShape {
    int lanes = 1, vectors = 1;
};

// For a loop of `extent` iterations and vectors of at most `vector` elements: those that waste the fewest lanes and wait
// the least.
LaneShape lane_shape(int64_t extent, int vector);

// Computes the only update of `sum`, which has axes and combines its elements in any order (adds_up_in_lanes), in that
// many partial results along its loop `along`: those of one element of `sum` at a time. Nothing else of the update is
// scheduled yet.
void sum_in_lanes(Halide::Func sum, const Halide::RVar &along, const LaneShape &shape);

}  // namespace emulsion
