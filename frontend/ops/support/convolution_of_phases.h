// A transposed convolution as a convolution without strides. Elements o of a result whose t = o + pad has the same rest by
// the stride, a *phase*, are a convolution of the operand with the taps of that rest (transposed_window.h):
//
//     y(t) = sum over j of x(t / stride - j) * w(t % stride + j * stride)
//
// So one convolution has the channels of all phases (PhaseWeights: w as its weights), and its results are dealt out to
// their places (PhasesToSpace). Where the stride doesn't divide the kernel, some of its weights are zero.
#pragma once

#include <cstdint>
#include <vector>

#include "frontend/ops/operator.h"

namespace emulsion {

// One axis of it.
struct PhaseAxis {
    int64_t stride = 1;
    int64_t pad = 0;     // of the transposed convolution, before
    int64_t kernel = 1;  // taps of the transposed convolution

    int64_t taps() const { return (kernel + stride - 1) / stride; }  // of a phase
    // The rows of the convolution's result that hold elements first_row() .. first_row() + rows(output) - 1 of t / stride.
    int64_t first_row() const { return pad / stride; }
    int64_t rows(int64_t output) const { return (pad + output - 1) / stride - first_row() + 1; }
};

// Attributes `strides`, `pads` and `kernel` of the two operators. Throws Error where they are none.
std::vector<PhaseAxis> phase_axes(const OperatorContext &context);

// Of a transposed convolution in 2-D.
Implementation convolution_of_phases();
// The same with vectors along rows (support/padded_planes.h), where every element of the operand makes elements of its own.
Implementation planes_of_phases();

}  // namespace emulsion
