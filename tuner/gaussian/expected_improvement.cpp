#include "tuner/gaussian/expected_improvement.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace emulsion {

double expected_improvement(double mean, double deviation, double best) {
    const double above = mean - best;
    if (deviation <= 0.0) {
        return std::max(above, 0.0);
    }
    const double z = above / deviation;
    const double density = std::exp(-z * z / 2.0) / std::sqrt(2.0 * std::numbers::pi);
    const double share = std::erfc(-z / std::numbers::sqrt2) / 2.0;
    return above * share + deviation * density;
}

double expected_improvement(const Prediction &score, double best) {
    return score.mean > 0.0
               ? score.p_valid *
                     expected_improvement(std::log(score.mean), score.deviation / score.mean, best)
               : 0.0;
}

}  // namespace emulsion
