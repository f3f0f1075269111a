// The loop nest behind convolution, matrix product, depthwise convolution, pooling and reduction: a
// reduction is computed at the innermost tile of the group's root, its accumulators in registers.
//
//     parallel for outer axes, column blocks, row blocks:      (order: parameter columns_outermost)
//       for row tiles:  for column tiles of the row:
//         acc[height][width][vectors] = initial value
//         for taps:  for reduction:  acc += ...                <- everything here is unrolled; or, with channel_block,
//         for channel blocks:  for taps:  for channels of a block
//         root[...] = epilogue(acc)                            <- unrolled, or a loop: parameter buffered
//
// "Columns" are the axis that vectors run along (output channels), "width" and "height" the two axes
// that register blocks extend over.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "autoscheduler/templates/support/roles.h"
#include "autoscheduler/templates/template.h"

namespace emulsion {

// Parameters of the nest, by the names they have in a plan.
struct RegisterTile {
    RegisterTile() = default;
    explicit RegisterTile(const Nest &nest);  // of one that is inside of the bounds

    int column_axis = 0;             // axis of the root that vectors run along
    int width_axis = -1;             // -1: none
    int height_axis = -1;            // -1: none
    int64_t vector = 1;              // elements per vector
    int64_t vectors = 1;             // vectors per tile
    int64_t width = 1;               // columns per tile
    int64_t height = 1;              // rows per tile
    int64_t task_rows = 1;           // rows (of height_axis, else of width_axis) per parallel task
    int64_t unroll = 1;              // iterations of the innermost reduction loop
    bool columns_outermost = false;  // tasks walk column blocks slowest
    // Tasks have all column blocks and walk them row by row, as planes lie in memory.
    bool columns_inside = false;
    bool padded = false;         // operands are padded to whole column blocks: compute them whole
    bool unroll_window = false;  // unroll the taps of the window
    // The elements of a tile are computed at once. Otherwise one vector after the other, in nests that say so:
    // Halide unrolls only what it sees the size of.
    bool unroll_tile = true;
    bool serial = false;  // on one core
    // The sums of a tile are stored before the epilogue, which is then a loop over the tile: where it is
    // unrolled as well, the compiler's register allocator weaves it into the loops of the sums.
    bool buffered = false;
    // Channels that all taps of the window add up before the next ones: what a block of them reads of the data is in the
    // first-level cache for all taps, and the sums stay in registers. 0: every tap adds up all channels.
    int64_t channel_block = 0;
    // Channels whose products are summed up before their sum is added to those of other blocks, for smaller rounding
    // errors. 0: all of them.
    int64_t sum_block = 0;
    // Panels per parallel task. The results of other stages are kept from one to the next: only the rows
    // that no panel before has had are computed.
    int64_t task_panels = 1;

    int64_t block() const { return vector * vectors; }
};

// What any nest must be.
NestSpace register_tile_domains(int rank);
NestSpace register_tile_bounds(const NestFuncs &funcs);

// What a reduction is offered; `preferred` has its axes.
NestSpace register_tile_space(const std::string &template_name, const RegisterTile &preferred,
                              const NestSubject &subject, const ReductionRoles &roles);

// The same nest, computing one vector of a tile after the other; where it does that already, one element; nothing
// where it does that.
std::optional<Nest> smaller_register_tile(const Nest &nest);

// How much of the root a panel is for, by axis.
std::vector<int64_t> register_tile_panel(const Nest &nest, const std::vector<int64_t> &extents);

// Applies it; `nest` must have been made by register_tile_space.
void apply_register_tile(const NestFuncs &funcs, const Nest &nest);

}  // namespace emulsion
