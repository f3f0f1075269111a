// How the loops of rows.h are cut: columns into vectors, and blocks of these; rows into blocks that are computed side by
// side.
#pragma once

#include <vector>

#include "autoscheduler/templates/template.h"

namespace emulsion {

// The root's loops over columns: blocks of vectors.
struct Columns {
    // The columns, and rows that are flat with them (flat_axes.h), the innermost first.
    std::vector<Halide::Var> rows;
    Halide::Var blocks{"co"}, vectors{"ci"}, lanes{"cl"}, steps{"cs"};
    int vector = 1;       // elements
    int interleaved = 1;  // vectors that are computed and stored together
    int per_block = 1;    // such vectors, or sets of them
    int64_t extent = -1;
    Halide::TailStrategy tail = Halide::TailStrategy::Auto;

    int block() const { return vector * interleaved * per_block; }
    int64_t trips() const;
    // The loops of one set, innermost first.
    std::vector<Halide::VarOrRVar> set() const;

    void split(Halide::Func root) const;
    void vectorize(Halide::Func root) const;
};

// How many vectors a block has.
struct BlockSizes {
    int64_t least_blocks =
        0;  // at least so many blocks, if there are as many vectors; 0: each vector is one
    int64_t most_vectors = 1;
};

// Of columns along `axes`, the innermost first.
Columns columns_of(const NestFuncs &funcs, const Nest &nest, const std::vector<int> &axes,
                   const BlockSizes &sizes = {});

// Blocks of rows along an axis, and along those that are flat with it.
struct RowBlocks {
    std::vector<Halide::Var> rows;  // the innermost first
    Halide::Var var{"crossing"}, steps{"step"};
    int64_t size = 1, extent = -1;
    Halide::TailStrategy tail = Halide::TailStrategy::Auto;

    int64_t trips() const;
    bool has(const Halide::Var &row) const;

    // Steps are unrolled.
    void split(Halide::Func root) const;
};

RowBlocks row_blocks_of(const NestFuncs &funcs, const std::vector<int> &axes);

}  // namespace emulsion
