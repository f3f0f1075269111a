// Which register tile and which tasks a reduction gets when nothing has been measured: those that take least by the
// model of register_tile_model.h.
#pragma once

#include "autoscheduler/templates/support/register_tile_model.h"

namespace emulsion {

// The largest divisor of `extent` that is at most `most`: loops in steps of it need no test.
int64_t largest_divisor(int64_t extent, int64_t most);

// Fills in vectors, width, height, task_rows, columns_outermost and unroll of `tile`, whose axes,
// vector and padded flag are set.
void choose_contraction_tile(const RegisterTileModel &model, const CpuMachine &machine,
                             RegisterTile &tile);

// Changes `tile`, a chosen one, to compute rows one at a time, with as many vectors as before.
void choose_single_row(const RegisterTileModel &model, const CpuMachine &machine,
                       RegisterTile &tile);

// As choose_contraction_tile, for a reduction whose lanes are independent and that has `taps` taps; and whether to
// unroll these.
void choose_lanewise_tile(const RegisterTileModel &model, int64_t taps, const CpuMachine &machine,
                          RegisterTile &tile);

// Other nests than `nest` that use the machine well (NestModel::suggest): tiles that fill at least half of the registers,
// of every number of vectors and rows the two best by the model; other tasks; other ways to walk the channels.
std::vector<Nest> suggested_tiles(const RegisterTileModel &model, const Nest &nest,
                                  const CpuMachine &machine);

}  // namespace emulsion
