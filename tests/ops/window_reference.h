// Sliding windows for the references of convolution and pooling tests, written by counting instead of
// with the formulas that frontend/ops uses.
#pragma once

#include "tests/ops/operator_harness.h"

namespace emulsion {

struct ReferenceWindow {
    int64_t input = 1, kernel = 1, stride = 1, dilation = 1, before = 0, after = 0, output = 0;

    int64_t position(int64_t window, int64_t tap) const {
        return window * stride + tap * dilation - before;
    }
    bool inside(int64_t position) const { return position >= 0 && position < input; }
};

struct RandomWindows {
    std::vector<ReferenceWindow> axes;
    std::string auto_pad = "NOTSET";
    bool ceil_mode = false;

    // One value of every axis, e.g. all(&ReferenceWindow::kernel).
    std::vector<int64_t> all(int64_t ReferenceWindow::*member) const;
    // (batch, channels, inputs...) and (batch, channels, outputs...).
    std::vector<int64_t> input_shape(int64_t batch, int64_t channels) const;
    std::vector<int64_t> output_shape(int64_t batch, int64_t channels) const;
    // Where tap `tap` of window `window` lies along every axis.
    std::vector<int64_t> positions(const std::vector<int64_t> &window,
                                   const std::vector<int64_t> &tap) const;
    bool inside(const std::vector<int64_t> &positions) const;

    // Sets the attributes of `test`; those that have their default are left out half of the time.
    void set_attributes(OperatorCase &test, Random &random, bool pool) const;
};

// Windows of random attributes over images of random size and 1 to 3 axes; at least one window fits.
RandomWindows random_windows(Random &random, bool pool);

// The coordinates of `at` from axis `first` on, and the two lists as one.
std::vector<int64_t> from_axis(const std::vector<int64_t> &at, size_t first);
std::vector<int64_t> joined(std::vector<int64_t> a, const std::vector<int64_t> &b);

}  // namespace emulsion
