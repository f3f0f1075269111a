// The loop nest of GPU kernels: every workgroup computes a block of the root, every thread of it a tile.
//
//     workgroups for blocks of the result:
//       panel(what the block needs of it) = ...           results of other stages, in LDS, all threads
//       threads for tiles of the block:
//         acc[tile] = initial value                       in registers
//         for taps:  for reduction:  acc += ...           everything of a tile is unrolled
//         root[tile] = epilogue(acc)
//
// Neighbouring threads have neighbouring columns: the axis that vectors run along. Where a whole wave has
// columns only, what it reads at other axes' coordinates is the same for all of its lanes, which AMD's
// compilers read once, into scalar registers.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "autoscheduler/templates/template.h"
#include "fusion/cost/panel_tile.h"
#include "fusion/gpu.h"

namespace emulsion {

// Parameters of the nest, by the names they have in a plan: "column_axis", "threads0", "tile0", ...
struct GpuTile {
    explicit GpuTile(int rank) : threads(rank, 1), tile(rank, 1) {}
    // Of a nest that is inside of the bounds.
    GpuTile(const Nest &nest, int rank);

    int column_axis = 0;
    std::vector<int64_t> threads;         // per axis; at most three of them are more than one
    std::vector<int64_t> tile;            // elements of a thread, per axis
    int64_t unroll = 1;                   // iterations of the innermost reduction loop
    bool unroll_window = false;           // unroll the taps of the window
    int64_t split = 1;                    // threads that share one sum
    int64_t panel_rows = kMostPanelRows;  // of a thread at a time, at most, where this is a panel
    // Threads walk all columns of their rows, instead of a tile each: what is computed for a row is
    // computed once.
    bool whole_rows = false;

    int64_t block(int axis) const {
        return threads[static_cast<size_t>(axis)] * tile[static_cast<size_t>(axis)];
    }
    int64_t all_threads() const;
    // All axes in the order of their threads: the columns', then the others', as memory usually has them.
    std::vector<int> axes() const;
    // Threads of a workgroup: along the columns, then along the other axes that have several, then those that share
    // sums.
    std::vector<int64_t> thread_counts() const;
    std::map<std::string, int64_t> parameters() const;
    bool operator==(const GpuTile &) const = default;
};

// The name of a loop or parameter of an axis: "threads0".
std::string numbered(const char *name, size_t axis);
// Elements of the vectors in which `elements` are computed: 4, 2 or 1.
int vector_of(int64_t elements);

// How it cuts a result of these extents, with so many registers of a thread.
Workgroup workgroup_of(const GpuTile &tile, const std::vector<int64_t> &extents, int registers);

// What any nest must be.
NestSpace gpu_tile_domains(int rank);
NestSpace gpu_tile_bounds(const NestFuncs &funcs);

// The nests around `tiles`, which cut a result of these extents; the preferred one first (never none). They are priced
// by `model`, as any other one is. `taps`: steps of the window that sums run over, if there is one.
NestSpace gpu_tile_space(const std::string &template_name, const std::vector<GpuTile> &tiles,
                         std::shared_ptr<const NestModel> model,
                         const std::vector<int64_t> &extents, const Machine &machine,
                         int64_t taps = 1);

// Applies it; `nest` must have been made by gpu_tile_space.
void apply_gpu_tile(const NestFuncs &funcs, const Nest &nest);

// The same nest with a smaller tile, for kernels that have been found to need more registers or LDS than there
// are; nothing where it is as small as can be.
std::optional<Nest> smaller_gpu_tile(const Nest &nest);

}  // namespace emulsion
