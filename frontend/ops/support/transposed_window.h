// Sliding windows the other way round, as ConvTranspose has them: input element i adds, through tap k, to
// output element
//
//     o = i * stride + k * dilation - pad_before
//
// A Func goes the other way, from o to the pairs (i, k). With t = o + pad_before they are
//
//     stride 1:            k = j,                   i = t - j * dilation
//     dilation 1:          k = t % stride + j * stride,  i = t / stride - j
//     neither:             k = j,                   i = (t - j * dilation) / stride, if that has no rest
//
// so that, but for the last case, no multiplication is in vain.
#pragma once

#include <vector>

#include "frontend/ops/operator.h"

namespace emulsion {

struct TransposedAxis {
    int64_t input = 1;   // extent of the operand
    int64_t kernel = 1;  // taps
    int64_t stride = 1;
    int64_t dilation = 1;
    int64_t pad_before = 0;
    int64_t output = 1;

    // How many values j takes.
    int64_t steps() const;
    // i and k of step `j` for output element `o`. k is inside the kernel whatever j is.
    Halide::Expr position(const Halide::Expr &o, const Halide::Expr &j) const;
    Halide::Expr tap(const Halide::Expr &o, const Halide::Expr &j) const;
    // Whether the pair counts; undefined where all do.
    Halide::Expr counts(const Halide::Expr &o, const Halide::Expr &j) const;
    // How far positions leave the operand.
    Margin margin() const;
};

// Those over axes 2, 3, ... of operand 0, from strides, dilations, pads, auto_pad, output_padding and
// output_shape. Throws Error naming the attribute that is wrong.
std::vector<TransposedAxis> transposed_axes(const OperatorContext &context,
                                            const std::vector<int64_t> &kernel);

}  // namespace emulsion
