// Sliding windows over the spatial axes of operand 0, as convolution and pooling have them: one place
// resolves strides, dilations, pads, auto_pad and ceil_mode.
//
// Along one axis, window `o` (0 .. output-1) has its tap `k` (0 .. kernel-1) at
//
//     o * stride + k * dilation - pad_before
#pragma once

#include <vector>

#include "frontend/ops/operator.h"

namespace emulsion {

// A list attribute of a sliding window, of as many values as its default. Throws Error unless each is in
// minimum .. 2^31-1.
std::vector<int64_t> window_attribute(const OperatorContext &context, const std::string &key,
                                      const std::vector<int64_t> &default_value, int64_t minimum);

enum class AutoPad { NotSet, Valid, SameUpper, SameLower };
// Attribute auto_pad. Throws Error for an unknown mode.
AutoPad auto_pad(const OperatorContext &context);
// Attribute pads: the margins before all `axes`, then those behind them. Throws Error where auto_pad
// contradicts it.
std::vector<int64_t> window_pads(const OperatorContext &context, size_t axes);

struct WindowAxis {
    int64_t input = 1;   // extent of the operand
    int64_t kernel = 1;  // taps
    int64_t stride = 1;
    int64_t dilation = 1;
    int64_t pad_before = 0;
    int64_t pad_after = 0;  // of the attribute; with ceil_mode the last window may reach further
    int64_t output = 1;     // windows

    // What the windows really read outside of 0 .. input-1.
    Margin margin() const;
    // Position of tap `tap` of window `window` (the formula above).
    Halide::Expr position(const Halide::Expr &window, const Halide::Expr &tap) const;
    // How many taps of `window` lie in -before .. input+after-1.
    Halide::Expr taps_within(const Halide::Expr &window, int64_t before, int64_t after) const;
};

// The windows over axes 2, 3, ... of operand 0. Throws Error naming the attribute when a list has
// the wrong length, a value is out of range, or no window fits. All values fit 32 bits afterwards,
// positions included.
std::vector<WindowAxis> window_axes(const OperatorContext &context,
                                    const std::vector<int64_t> &kernel);

// Windows that leave their axis of `input` elements nowhere. Throws Error where none fits.
WindowAxis unpadded_window(const OperatorContext &context, int64_t input, int64_t kernel,
                           int64_t stride, int64_t dilation);

// The windows of a pool, from attributes kernel_shape and ceil_mode and those above. The only one may be larger
// than the padded input by less than a stride. Throws Error also
// when operand 0 has no spatial axis or there is no kernel_shape.
std::vector<WindowAxis> pool_windows(const OperatorContext &context);

// Throws Error unless operand `index` has an axis behind batch and channels.
void require_spatial_axes(const OperatorContext &context, int index);

// Operand 0 of shape (N, C, axes...), with `value` around it as far as the windows reach.
Access windowed_operand(OperatorContext &context, const std::vector<WindowAxis> &axes,
                        double value);

// Reduction variables over the taps of a window, one per axis, the last axis the innermost loop.
std::vector<Halide::Expr> window_taps(const std::vector<WindowAxis> &axes);

// Coordinates of operand 0 at tap `taps` of the window `at`, which is (n, c, windows...): (n, c,
// positions...).
std::vector<Halide::Expr> window_coordinates(const std::vector<WindowAxis> &axes,
                                             const std::vector<Halide::Expr> &at,
                                             const std::vector<Halide::Expr> &taps);

// Shape of what the windows give: (batch, channels, windows...).
std::vector<int64_t> window_output_shape(int64_t batch, int64_t channels,
                                         const std::vector<WindowAxis> &axes);

}  // namespace emulsion
