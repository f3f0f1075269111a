#include "tuner/geometric_interval.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace emulsion {

namespace {

double mean_of(const std::vector<double> &values) {
    double sum = 0.0;
    for (const double value : values) {
        sum += value;
    }
    return sum / static_cast<double>(values.size());
}

}  // namespace

MeanInterval mean_interval(const std::vector<std::vector<double>> &groups) {
    constexpr int kResamples = 2000;
    constexpr double kBelow = 0.025;
    if (groups.empty()) {
        return {};
    }
    std::vector<double> means;  // by group
    for (const std::vector<double> &group : groups) {
        means.push_back(mean_of(group));
    }
    std::mt19937_64 engine(1);
    std::vector<double> drawn;
    for (int i = 0; i < kResamples; i++) {
        double all = 0.0;
        for (size_t draw = 0; draw < means.size(); draw++) {
            all += means[engine() % means.size()];
        }
        drawn.push_back(all / static_cast<double>(means.size()));
    }
    std::sort(drawn.begin(), drawn.end());
    const auto at = [&](double share) {
        return drawn[static_cast<size_t>(share * (kResamples - 1))];
    };
    return {mean_of(means), at(kBelow), at(1.0 - kBelow)};
}

GeometricInterval geometric_interval(const std::vector<std::vector<double>> &groups) {
    std::vector<std::vector<double>> logarithms = groups;
    for (std::vector<double> &group : logarithms) {
        for (double &value : group) {
            value = std::log(value);
        }
    }
    const MeanInterval interval = mean_interval(logarithms);
    return {std::exp(interval.mean), std::exp(interval.low), std::exp(interval.high)};
}

}  // namespace emulsion
