#include "autoscheduler/templates/support/row_splits.h"

#include <algorithm>
#include <string>

#include "autoscheduler/templates/support/loops.h"
#include "autoscheduler/templates/support/parameters.h"
#include "autoscheduler/templates/support/rows.h"
#include "fusion/ceil_div.h"
#include "fusion/crossing_blocks.h"

namespace emulsion {

namespace {

using Halide::Func;
using Halide::TailStrategy;
using Halide::Var;
using Halide::VarOrRVar;

// Loops over rows, the innermost first, as one.
Var fuse_rows(Func root, const std::vector<Var> &rows, const std::string &name) {
    Var one = rows.front();
    for (size_t i = 1; i < rows.size(); i++) {
        const Var both(name + std::to_string(i));
        root.fuse(one, rows[i], both);
        one = both;
    }
    return one;
}

std::vector<Var> vars_along(const NestFuncs &funcs, const std::vector<int> &axes) {
    const std::vector<Var> all = pure_vars(funcs.root);
    std::vector<Var> vars;
    for (const int axis : axes) {
        vars.push_back(all[static_cast<size_t>(axis)]);
    }
    return vars;
}

// -1: unknown, of one axis; several are flat, so that they are known.
int64_t elements_along(const NestFuncs &funcs, const std::vector<int> &axes) {
    int64_t elements = known_extent(funcs, axes.front());
    for (size_t i = 1; i < axes.size(); i++) {
        elements *= known_extent(funcs, axes[i]);
    }
    return elements;
}

// Of steps that are no longer than all elements, where these are known.
TailStrategy tail_along(const NestFuncs &funcs, const std::vector<int> &axes, int64_t step) {
    return axes.size() > 1 ? TailStrategy::ShiftInwards : pure_tail(funcs, axes.front(), step);
}

// Only of whole sets, so that Halide sees at which columns they begin.
int interleaved_of(const Nest &nest, int axis, int64_t extent) {
    const int steps = parameter(nest, "interleaved", 1);
    const bool fits =
        parameter(nest, "interleaved_axis", -1) == axis && extent >= steps && extent % steps == 0;
    return fits ? steps : 1;
}

}  // namespace

int64_t Columns::trips() const { return extent < 0 ? -1 : ceil_div(extent, block()); }

void Columns::split(Func root) const {
    root.split(fuse_rows(root, rows, "flat"), blocks, vectors, block(), tail);
    root.split(vectors, vectors, lanes, vector * interleaved);
    if (interleaved > 1) {
        root.split(lanes, lanes, steps, interleaved);
    }
}

// Halide stores unrolled vectors together that follow each other.
std::vector<VarOrRVar> Columns::set() const {
    return interleaved > 1 ? std::vector<VarOrRVar>{lanes, steps} : std::vector<VarOrRVar>{lanes};
}

void Columns::vectorize(Func root) const {
    root.vectorize(lanes);
    if (interleaved > 1) {
        root.unroll(steps);
    }
}

Columns columns_of(const NestFuncs &funcs, const Nest &nest, const std::vector<int> &axes,
                   const BlockSizes &sizes) {
    const int vector = rows_vector(nest);
    const int axis = axes.front();
    Columns columns;
    columns.rows = vars_along(funcs, axes);
    columns.extent = elements_along(funcs, axes);
    // No longer than there are columns: the first and last vectors overlap, and if a single one is longer, all that the
    // root reads is computed for it, and there may be no such place.
    int64_t most = columns.extent;
    if (most < 0 && funcs.estimated_extent) {
        most = funcs.estimated_extent(axis);
    }
    columns.vector = vector;
    columns.interleaved = interleaved_of(nest, axis, columns.extent);
    if (most >= 0) {
        most = std::max<int64_t>(most / columns.interleaved, 1);
        columns.vector = static_cast<int>(std::min<int64_t>(vector, floor_power_of_two(most)));
    }
    if (sizes.least_blocks > 0 && columns.extent >= 0) {
        // No more blocks than that: what the last two have in common is computed twice.
        const int64_t vectors = ceil_div(columns.extent, columns.block());
        const int64_t whole = std::max<int64_t>(columns.extent / columns.block(), 1);
        columns.per_block = static_cast<int>(
            std::min({ceil_div(vectors, sizes.least_blocks), whole, sizes.most_vectors}));
    }
    columns.tail = tail_along(funcs, axes, columns.block());
    return columns;
}

int64_t RowBlocks::trips() const { return extent < 0 ? -1 : ceil_div(extent, size); }

bool RowBlocks::has(const Var &row) const {
    return std::any_of(rows.begin(), rows.end(),
                       [&](const Var &mine) { return mine.name() == row.name(); });
}

void RowBlocks::split(Func root) const {
    root.split(fuse_rows(root, rows, "across"), var, steps, static_cast<int>(size), tail)
        .unroll(steps);
}

RowBlocks row_blocks_of(const NestFuncs &funcs, const std::vector<int> &axes) {
    RowBlocks blocks;
    blocks.rows = vars_along(funcs, axes);
    blocks.extent = elements_along(funcs, axes);
    // As many steps as vectors have lanes, or twice as many: what they load is turned in registers
    // (autoscheduler/kernels/turned_blocks.h).
    blocks.size = blocks.extent < 0 || are_about_whole_blocks(blocks.extent)
                      ? kCrossingBlock
                      : ceil_div(blocks.extent, ceil_div(blocks.extent, kCrossingBlock));
    blocks.tail = tail_along(funcs, axes, blocks.size);
    return blocks;
}

}  // namespace emulsion
