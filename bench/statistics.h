// What repeated measurements are summarised by.
#pragma once

#include <vector>

namespace emulsion {

// Order statistics of a sample, in the sample's unit. The median of an even number of values is the
// mean of the middle two; p90 is the smallest value that at least 90 % of the sample do not exceed.
struct Summary {
    double median = 0.0;
    double p90 = 0.0;
    double min = 0.0;
};

// All zero for an empty sample.
Summary summarise(std::vector<double> sample);

}  // namespace emulsion
