// A fully connected layer with an activation as a foreign Halide program: the pipeline that tests of
// analysis and scheduling share.
#pragma once

#include <Halide.h>

#include <string>
#include <vector>

#include "fusion/machine.h"
#include "fusion/plan.h"

namespace emulsion::test {

// out(c, x) = max(sum over k of weights(c, k) * data(k, x), 0), innermost dimension first.
struct Layer {
    static constexpr int kColumns = 40, kRows = 24, kDepth = 16;

    explicit Layer(const std::string &name);

    // The plan that Gao2025 makes for it.
    Plan plan(const Machine &machine = {}) const;
    // Random data through the scheduled pipeline; the largest error against plain loops.
    double largest_error();

    Halide::ImageParam data, weights;
    Halide::Func sum, out;
};

}  // namespace emulsion::test
