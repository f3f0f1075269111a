// What the generators for the chips' dot products share. Their buffers hold lanes of 32 bits: four int8, or
// two 16-bit floats, that lie beside each other in memory. On the host the same memory may be looked at
// as what it holds.
#pragma once

#include <algorithm>
#include <vector>

#include <Halide.h>

#include "generators/shapes.h"

// c + a[0] * b[0] + ... of the lanes' elements; functions of backend/amdgpu/prelude.cl. Other drivers of
// OpenCL can be told what they are by halide_opencl_set_build_options("-Demulsion_dot4(a,b,c)=...").
inline Halide::Expr dot4(const Halide::Expr &a, const Halide::Expr &b, const Halide::Expr &c) {
    return Halide::Internal::Call::make(Halide::Int(32), "emulsion_dot4", {a, b, c},
                                        Halide::Internal::Call::PureExtern);
}
inline Halide::Expr dot2(const Halide::Expr &a, const Halide::Expr &b, const Halide::Expr &c) {
    return Halide::Internal::Call::make(Halide::Float(32), "emulsion_dot2", {a, b, c},
                                        Halide::Internal::Call::PureExtern);
}

// set_shape() for a dense port whose first dimension is innermost and whose others begin at -pad for
// the second and third.
template<typename Port>
void set_layout(Port &port, const std::vector<int> &extents, int pad = 0) {
    int stride = 1;
    for (int i = 0; i < static_cast<int>(extents.size()); i++) {
        const int border = i == 1 || i == 2 ? pad : 0;
        const int extent = extents[static_cast<size_t>(i)] + 2 * border;
        port.dim(i).set_bounds(-border, extent).set_estimate(-border, extent).set_stride(stride);
        stride *= extent;
    }
}

// Loops of a convolution's output (c, x, y, n) of these extents on the GPU: every thread computes up to
// `columns` pixels of four channels; a workgroup is up to 4 x 4 threads' pixels of up to 64 channels.
// Returns the innermost loop of a thread around them, where the sum belongs.
inline Halide::Var schedule_tile(Halide::Func output, const std::vector<int> &extents,
                                 int columns) {
    using Halide::TailStrategy;
    using Halide::Var;
    constexpr int kVector = 4, kChannels = 64, kThreads = 4;
    // No tile is larger than the output, so that the last ones can be moved inwards.
    columns = std::min(columns, extents[1]);
    const int across = columns * std::clamp(extents[1] / columns, 1, kThreads);
    const Var c = output.args()[0], x = output.args()[1], y = output.args()[2],
              n = output.args()[3];
    const Var cb("cb"), ct("ct"), cv("cv"), xb("xb"), xt("xt"), xi("xi"), yb("yb"), yt("yt"),
        image("image");
    output.split(c, cb, ct, std::min(kChannels, extents[0]), TailStrategy::ShiftInwards)
        .split(ct, ct, cv, kVector)
        .split(x, xb, xi, across, TailStrategy::ShiftInwards)
        .split(xi, xt, xi, columns)
        .split(y, yb, yt, std::min(kThreads, extents[2]), TailStrategy::ShiftInwards)
        .reorder(cv, xi, ct, xt, yt, cb, xb, yb, n)
        .fuse(yb, n, image)
        .gpu_blocks(cb, xb, image)
        .gpu_threads(ct, xt, yt)
        .vectorize(cv)
        .unroll(xi);
    return ct;
}

// A sum of four channels and a thread's pixels in registers.
inline void schedule_sum(Halide::Func sum, const std::vector<Halide::RVar> &around) {
    const Halide::Var c = sum.args()[0], x = sum.args()[1];
    sum.vectorize(c).unroll(x);
    std::vector<Halide::VarOrRVar> order{c, x};
    order.insert(order.end(), around.begin(), around.end());
    sum.update().reorder(order).vectorize(c).unroll(x);
}
