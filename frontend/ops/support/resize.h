// What Resize does along one axis, worked out at compile time: which elements of the operand a
// coordinate of the result needs, and with which weights.
//
// ONNX describes the mapping in floating point, with rules for ties. Doing that arithmetic here once
// instead of in the compiled code makes the result independent of how the code is optimised, and often
// leaves a division of integers.
#pragma once

#include <vector>

#include "frontend/ops/operator.h"

namespace emulsion {

// One axis of Resize that changes.
struct ResizedAxis {
    int axis = 0;
    int64_t input = 1;  // extents
    int64_t output = 1;
    double scale = 1.0;
    double roi_start = 0.0;  // of tf_crop_and_resize, in units of input - 1
    double roi_end = 1.0;
};

// Result x is the sum of weights[x * taps + k] * operand(clamp(first[x] + k)), k = 0 .. taps-1, unless
// x is outside of [inside_begin, inside_end), where the extrapolation value stands.
struct ResizeTaps {
    int64_t taps = 1;
    std::vector<int> first;       // by x
    std::vector<double> weights;  // by x and tap; empty if there is one tap of weight 1
    int64_t inside_begin = 0;
    int64_t inside_end = 0;
};

// Attributes of the node. Throws Error, naming the attribute, for modes that are unknown.
void check_resize_modes(const OperatorContext &context);

// The axes along which anything happens, with scales, sizes, axes, roi and keep_aspect_ratio_policy
// resolved; of a node that has kResizedAlong only that axis. Throws Error naming what is wrong.
std::vector<ResizedAxis> resized_axes(const OperatorContext &context);

// An attribute of our own: of several nodes that resize one axis each, which one.
constexpr const char *kResizedAlong = "along";

// Interpolation along one axis after the other, the last one first: sums over its elements are computed once for each row of
// the operand, and not for each row of the result that reads it.
Implementation separated_axes();

// By the node's modes.
ResizeTaps resize_taps(const OperatorContext &context, const ResizedAxis &axis);

}  // namespace emulsion
