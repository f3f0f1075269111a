// How a task's best time goes on falling.
#pragma once

#include <span>

namespace emulsion {

struct CurveForecast {
    double mean = 0.0, deviation = 0.0;  // of the next value
    // The shortest interval that the next value is in with a probability of 80 %.
    double low = 0.0, high = 0.0;
};

// Of the best time so far after every batch, which never rises; at least one. The times are taken for
//
//   first * (floor + (1 - floor) exp(-rate n^shape)),   n batches after the first,
//
// and noise. How likely floor, rate, shape and noise are, given the times so far and what curves of recorded networks are like, is
// sampled (Metropolis), and the next value is drawn from each sample: never above the last one, and equal to it as often as batches have found nothing
// faster so far. DynaTune (M. Zhang et al., ICLR 2021) has such a belief; the family and the prior are ours. Equal curves have equal forecasts.
CurveForecast next_of_curve(std::span<const double> best);

}  // namespace emulsion
