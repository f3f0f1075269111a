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
    ReferenceWindow h, w;
    std::string auto_pad = "NOTSET";
    bool ceil_mode = false;

    // Sets the attributes of `test`; those that have their default are left out half of the time.
    void set_attributes(OperatorCase &test, Random &random, bool pool) const;
};

// Windows of random attributes over images of random size; at least one window fits.
RandomWindows random_windows(Random &random, bool pool);

}  // namespace emulsion
