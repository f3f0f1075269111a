// What repeated measurements are summarised by.
#pragma once

#include <cstddef>
#include <vector>

namespace emulsion {

// Order statistics of a sample, in the sample's unit. The median of an even number of values is the
// mean of the middle two; p10 and p90 are the smallest values that at least 10 % and 90 % of the sample do not exceed.
struct Summary {
    double median = 0.0;
    double p10 = 0.0, p90 = 0.0;
    double min = 0.0;
};

// All zero for an empty sample.
Summary summarise(std::vector<double> sample);

// Median of one sample over that of another, with the interval that 95 % of resamples fall into (the
// percentile bootstrap in two stages, of clusters and of what is in them, with a fixed seed: Davison and
// Hinkley, Bootstrap Methods and their Application, section 3.8).
struct RatioInterval {
    double ratio = 0.0, low = 0.0, high = 0.0;
    size_t draws = 0;  // pairs drawn for all resamples, which is what the interval costs
};

// Resamples are drawn from about so many pairs, evenly spread, where there are more: the interval is then as
// wide as that many pairs make it, never narrower than the whole sample's. A run of a small network takes
// microseconds; without a bound the interval would take longer than the runs.
constexpr size_t kMostResampledPairs = 4000;

// The samples are pairs, measured in turns: they are resampled together. `clusters` has the first position of
// each run of pairs that have more in common than others, ascending from 0. All zero where there are no pairs.
RatioInterval ratio_of_medians(const std::vector<double> &over, const std::vector<double> &under,
                               const std::vector<size_t> &clusters = {0});

// Spearman's rank correlation of two samples of equal size: 1 where one rises with the other. Equal values
// share a rank. 0 where one of them is constant.
double spearman(const std::vector<double> &a, const std::vector<double> &b);

}  // namespace emulsion
