// How sure a mean is.
#pragma once

#include <vector>

namespace emulsion {

// A geometric mean, with the interval that 95 % of resamples fall into (the percentile bootstrap with a fixed seed; Davison and
// Hinkley, Bootstrap Methods and their Application, section 5.3).
struct GeometricInterval {
    double mean = 1.0, low = 1.0, high = 1.0;
};

// Of positive numbers in groups, such as one of every seed of a task: groups are drawn, with all that is in them, since
// tasks differ more than seeds. All 1 of none.
GeometricInterval geometric_interval(const std::vector<std::vector<double>> &groups);

// The same of an arithmetic mean, of the groups' means. All 0 of none.
struct MeanInterval {
    double mean = 0.0, low = 0.0, high = 0.0;
};
MeanInterval mean_interval(const std::vector<std::vector<double>> &groups);

}  // namespace emulsion
