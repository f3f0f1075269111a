// Multi-level tiling of reductions, the sketch "SSRSRS" of Ansor (Zheng and others, OSDI 2020, section 4.1): space loops
// (S), of which the outermost are parallel, around reduction loops (R), around space loops and the innermost reduction
// loop, which are unrolled, around vectors. What is added up lies in a tile of its own, which is written out with the
// epilogue (the "cache write"):
//
//     parallel for task:                                     # S   tasks
//       for tiles of a task:                                 # S   tile0, tile1, ...
//         local[tile] = ...
//         for r:                                             # R
//           for vectors:                                     # S   vectors
//             for r of a step:                               # R   unroll
//               for lanes:  local[...] = f(local[...], ...)  # S   vector, along vector_axis
//         output[tile] = epilogue(local)
//
// Of a scan the tile has all of the scanned axis. A scatter is stored whole, since data say where it writes; its tiles
// cut the loops along which it walks. A sum over everything has no space loops but those that cutting its own loop into
// parts makes ("rfactor"): tasks, vectors and lanes are parts of it.
#pragma once

#include <string>
#include <vector>

#include "autoscheduler/templates/support/update_roles.h"
#include "autoscheduler/templates/template.h"

namespace emulsion {

// A nest's parameters.
struct MultiLevelTile {
    explicit MultiLevelTile(const Nest &nest);

    int vector_axis;        // of the result, -1: none
    int vector;             // elements
    int vectors;            // side by side
    int unroll;             // iterations of the reduction
    int tasks;              // about; 0: serial
    std::vector<int> tile;  // elements along each axis, 0: all

    int block() const { return vector * vectors; }
};

// The parameter that says how long tiles are along an axis.
std::string tile_name(int axis);

NestSpace multi_level_bounds(const NestFuncs &funcs);
NestSpace multi_level_space(const std::string &template_name, const NestSubject &subject,
                            const UpdateRoles &roles);
// The same nest with less unrolled, and then without vectors; nothing where it is that already.
std::optional<Nest> smaller_multi_level(const Nest &nest);

// The loops of a scan and of the root that reads it. False, and nothing done, where the root has other axes.
bool make_scan_loops(const NestFuncs &funcs, const Halide::Func &scan, const UpdateRoles &roles,
                     const MultiLevelTile &t);
// Those of a scatter, which is stored whole, with its axes in memory in this order, innermost first.
void make_scatter_loops(const Halide::Func &scatter, const UpdateRoles &roles,
                        const MultiLevelTile &t, const std::vector<int> &order);
// Those of a sum over everything, in parts.
void make_total_loops(const Halide::Func &total, const MultiLevelTile &t);

}  // namespace emulsion
