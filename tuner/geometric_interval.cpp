#include "tuner/geometric_interval.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "fusion/geometric_mean.h"

namespace emulsion {

GeometricInterval geometric_interval(const std::vector<std::vector<double>> &groups) {
    constexpr int kResamples = 2000;
    constexpr double kBelow = 0.025;
    if (groups.empty()) {
        return {};
    }
    std::vector<double> means;  // logarithms, by group
    for (const std::vector<double> &group : groups) {
        means.push_back(std::log(geometric_mean(group)));
    }
    const auto count = static_cast<double>(means.size());
    double sum = 0.0;
    for (const double mean : means) {
        sum += mean;
    }
    std::mt19937_64 engine(1);
    std::vector<double> drawn;
    for (int i = 0; i < kResamples; i++) {
        double all = 0.0;
        for (size_t draw = 0; draw < means.size(); draw++) {
            all += means[engine() % means.size()];
        }
        drawn.push_back(all / count);
    }
    std::sort(drawn.begin(), drawn.end());
    const auto at = [&](double share) {
        return std::exp(drawn[static_cast<size_t>(share * (kResamples - 1))]);
    };
    return {std::exp(sum / count), at(kBelow), at(1.0 - kBelow)};
}

}  // namespace emulsion
