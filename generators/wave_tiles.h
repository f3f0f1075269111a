// What the experiments with matrix instructions share (docs/matrix-instructions.md). A wave's lanes carry
// one out together, while Halide knows threads only: which lane holds what is written out in the
// algorithm, with the thread's number as `lane`. The elements of a lane's accumulators are an axis that
// is vectorized, so that they are one value to the compiler.
#pragma once

#include <string>
#include <vector>

#include <Halide.h>

#include "generators/shapes.h"

// A matrix instruction as a function of the vector loop around it.
inline Halide::Expr wave_product(const std::string &function, const Halide::Expr &a,
                                 const Halide::Expr &b, const Halide::Expr &c) {
    return Halide::Internal::Call::make(Halide::Float(32), function, {a, b, c},
                                        Halide::Internal::Call::PureExtern);
}

// set_shape() with strides.
template<typename Port>
void set_strided(Port &port, const std::vector<int> &extents, const std::vector<int> &strides) {
    set_shape(port, extents);
    for (int d = 0; d < static_cast<int>(strides.size()); d++) {
        port.dim(d).set_stride(strides[static_cast<size_t>(d)]);
    }
}

// One wave to a workgroup. It computes `across` x `down` tiles of the product, whose arguments are those
// that make up a lane, the rest of a tile, and the tile's column and row. `tile` has the arguments
// element of a lane, lane, tile's column and row.
inline void schedule_waves(Halide::Func product, Halide::Func tile, const Halide::RVar &r,
                           int elements, int across, int down) {
    using Halide::Var;
    const std::vector<Var> args = product.args();
    const Var tx = args[args.size() - 2], ty = args[args.size() - 1], i = tile.args()[0],
              lane = tile.args()[1], thread("thread"), bx("bx"), by("by");
    std::vector<Halide::VarOrRVar> order(args.begin() + 2, args.end());
    order.insert(order.end(), {thread, bx, by});
    product.fuse(args[0], args[1], thread)
        .split(tx, bx, tx, across)
        .split(ty, by, ty, down)
        .reorder(order)
        .gpu_blocks(bx, by)
        .gpu_threads(thread)
        .unroll(tx)
        .unroll(ty);
    for (size_t d = 2; d + 2 < args.size(); d++) {
        product.unroll(args[d]);
    }
    const Var x = tile.args()[2], y = tile.args()[3];
    tile.compute_at(product, thread)
        .bound_extent(i, elements)
        .bound_extent(lane, 1)
        .vectorize(i)
        .unroll(x)
        .unroll(y)
        .update()
        .reorder(i, lane, x, y, r)
        .vectorize(i)
        .unroll(x)
        .unroll(y);
}
