// Which register block and which tasks a contraction gets when nothing has been measured: a small
// model of one core, of the kind that explains why 14 x 2 and 8 x 3 vectors reach the peak of a
// machine with 32 registers and 7 x 4 does not.
#pragma once

#include "autoscheduler/templates/support/register_tile.h"
#include "autoscheduler/templates/support/roles.h"

namespace emulsion {

// Cycles of one core for all of a nest, waste at the edges of tiles included; and the time of the busiest
// of several over that of an even share.
struct TileCost {
    double cycles = 0.0;
    double imbalance = 1.0;
};

// Fills in vectors, width, height, task_rows, columns_outermost and unroll of `tile`, whose axes,
// vector and padded flag are set.
TileCost choose_contraction_tile(const NestSubject &subject, const ReductionRoles &roles,
                                 RegisterTile &tile);

// Changes `tile`, a chosen one, to compute rows one at a time, with as many vectors as before. Returns its
// cycles over those before.
double choose_single_row(const NestSubject &subject, const ReductionRoles &roles,
                         RegisterTile &tile);

// As choose_contraction_tile, for a reduction whose lanes are independent.
TileCost choose_lanewise_tile(const NestSubject &subject, const ReductionRoles &roles,
                              RegisterTile &tile);

}  // namespace emulsion
