// What measuring a point is worth.
#pragma once

#include "tuner/model.h"

namespace emulsion {

// By how much a value of this normal distribution is expected to be above `best`, what is below counting for 0 (D. R. Jones et al., Journal of
// Global Optimization 13, 1998, equation 15).
double expected_improvement(double mean, double deviation, double best);

// The same of the logarithm of a score, above the logarithm `best`; what fails improves nothing.
double expected_improvement(const Prediction &score, double best);

}  // namespace emulsion
