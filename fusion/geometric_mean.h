// The mean of ratios.
#pragma once

#include <cmath>
#include <vector>

namespace emulsion {

// Of positive numbers; 1 of none.
inline double geometric_mean(const std::vector<double> &values) {
    double logarithms = 0.0;
    for (const double value : values) {
        logarithms += std::log(value);
    }
    return values.empty() ? 1.0 : std::exp(logarithms / static_cast<double>(values.size()));
}

}  // namespace emulsion
