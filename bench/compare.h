// Whether results are right: errors against a reference, and whether a wrong result would show.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bench/npy.h"

namespace emulsion {

// The numeric bound on an element: |error| <= kAbsoluteBound + kRelativeBound * |reference|.
constexpr double kAbsoluteBound = 1e-4;
constexpr double kRelativeBound = 1e-3;
// Below it, results of different inputs are so alike that a wrong one might pass.
constexpr double kLeastSensitivity = 100;

struct Difference {
    double max_abs_error = 0.0;  // infinite or NaN where a value is
    double worst_ratio = 0.0;    // largest error over its bound; infinite where something is NaN
    int64_t worst_element = -1;  // row-major position of worst_ratio

    bool passes() const { return worst_ratio <= 1.0; }
    // Takes over what is worse in `other`; says whether its ratio was.
    bool merge(const Difference &other);
};

// Elementwise. A NaN on either side fails; infinities are right only where both are the same.
// Shapes and types have to be equal (an assert).
Difference compare(const Array &value, const Array &reference);

// For each output, the largest elementwise difference over the bound between the references of two
// runs with different inputs; the smallest over outputs and pairs. `references[run][output]`; 0 for
// fewer than two runs. Where the two references differ in size, the larger sets the bound.
double sensitivity(std::span<const std::vector<Array>> references);

}  // namespace emulsion
