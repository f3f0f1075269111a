// Reductions in GPU kernels: in a thread's registers, shared by threads, or of a whole workgroup.
#pragma once

#include "autoscheduler/templates/support/gpu_tile.h"

namespace emulsion {

// Rounds what `func` takes of LDS up to whole vectors, along its axis `var`: Halide lays the tensors of a
// workgroup one behind the other, and takes each to begin where its vectors may be read as such.
void align_in_lds(Halide::Func func, const Halide::Var &var);
// Along the axis that is innermost in memory.
void align_in_lds(const Halide::Func &func);

// Computes `sum` for the tile of a thread, in registers: at loop `at` of the root.
void make_register_sum(const NestFuncs &funcs, const Halide::Func &sum, const GpuTile &tile,
                       const Halide::Var &at);

// Lets `tile.split` threads compute a part each of what the root's thread sums up then; the parts lie in
// LDS. A sum whose order matters, or that has no loop to share, stays as it is.
void make_split_sum(const NestFuncs &funcs, Halide::Func sum, const GpuTile &tile,
                    const Halide::Var &block);

// Lets `threads` compute `parts` parts of every element of `sum`, a panel's, where there are more threads than
// elements; the panel sums them up.
void make_panel_parts(const NestFuncs &funcs, Halide::Func sum, int column_axis, int parts,
                      int threads);

// Whether parts of `sum` may be computed on their own.
bool may_be_shared(const Halide::Func &sum);

// Computes `sum`, which has no element for every thread, once per workgroup, at its loop `block`: `threads`
// compute a part each, where the order doesn't matter, and one sums the parts up.
void make_block_sum(const Halide::Func &root, Halide::Func sum, const Halide::Var &block,
                    int threads);

}  // namespace emulsion
