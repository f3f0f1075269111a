#include "tuner/learning_curve.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

namespace emulsion {

namespace {

// Logit of floor, logarithms of rate, shape and noise.
constexpr size_t kParameters = 4;
using Parameters = std::array<double, kParameters>;

// What is known of them before any curve: of curves of recorded networks.
constexpr Parameters kExpected{1.5, 0.0, -0.35, -3.5}, kSpread{1.5, 1.0, 0.4, 1.0};

struct Curve {
    double floor, rate, shape, noise;

    explicit Curve(const Parameters &p)
        : floor(1.0 / (1.0 + std::exp(-p[0]))), rate(std::exp(p[1])), shape(std::exp(p[2])),
          noise(std::exp(p[3])) {}

    double at(size_t batches) const {
        return floor +
               (1.0 - floor) * std::exp(-rate * std::pow(static_cast<double>(batches), shape));
    }
};

// But for a constant.
double log_posterior(const Parameters &p, std::span<const double> best) {
    const Curve curve(p);
    double sum = 0.0;
    for (size_t i = 0; i < kParameters; i++) {
        sum -= std::pow((p[i] - kExpected[i]) / kSpread[i], 2.0) / 2.0;
    }
    for (size_t n = 1; n < best.size(); n++) {
        const double apart = (best[n] / best[0] - curve.at(n)) / curve.noise;
        sum -= apart * apart / 2.0 + std::log(curve.noise);
    }
    return sum;
}

std::vector<Parameters> posterior(std::span<const double> best, std::mt19937_64 &engine) {
    constexpr int kBurnIn = 500, kSamples = 2000, kThin = 10;
    constexpr double kStep = 0.4;  // of the spread: about a third of the steps is taken
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform;
    Parameters at = kExpected;
    double height = log_posterior(at, best);
    std::vector<Parameters> samples;
    for (int i = 0; i < kBurnIn + kSamples; i++) {
        Parameters next = at;
        for (size_t p = 0; p < kParameters; p++) {
            next[p] += kStep * kSpread[p] * normal(engine);
        }
        const double next_height = log_posterior(next, best);
        if (std::log(uniform(engine)) < next_height - height) {
            at = next;
            height = next_height;
        }
        if (i >= kBurnIn && i % kThin == 0) {
            samples.push_back(at);
        }
    }
    return samples;
}

// The probability that a batch finds nothing faster, given how often that was so: the mean of a beta distribution.
double idle_probability(std::span<const double> best) {
    constexpr double kIdle = 2.0, kGains = 1.0;  // batches as if seen before
    double idle = kIdle;
    for (size_t n = 1; n < best.size(); n++) {
        idle += best[n] == best[n - 1] ? 1.0 : 0.0;
    }
    return idle / (kIdle + kGains + static_cast<double>(best.size() - 1));
}

// Sorted draws of the next value, over the first one.
std::vector<double> next_values(std::span<const double> best) {
    constexpr int kDraws = 5;  // of every sample
    std::mt19937_64 engine(1);
    std::vector<double> values;
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform;
    const double idle = idle_probability(best), last = best.back() / best.front();
    for (const Parameters &sample : posterior(best, engine)) {
        const Curve curve(sample);
        for (int draw = 0; draw < kDraws; draw++) {
            const double value = curve.at(best.size()) + curve.noise * normal(engine);
            values.push_back(uniform(engine) < idle ? last : std::clamp(value, 0.0, last));
        }
    }
    std::sort(values.begin(), values.end());
    return values;
}

}  // namespace

CurveForecast next_of_curve(std::span<const double> best) {
    constexpr double kShare = 0.8;
    const std::vector<double> values = next_values(best);
    const auto count = static_cast<double>(values.size());
    double sum = 0.0, squares = 0.0;
    for (const double value : values) {
        sum += value;
        squares += value * value;
    }
    const double mean = sum / count;
    const double variance = std::max(squares / count - mean * mean, 0.0);
    const auto within = static_cast<size_t>(std::ceil(kShare * count)) - 1;
    size_t begin = 0;
    // Of equally short ones the last: where many draws are the last value, that is in it.
    for (size_t i = 0; i + within < values.size(); i++) {
        if (values[i + within] - values[i] <= values[begin + within] - values[begin]) {
            begin = i;
        }
    }
    const double first = best.front();
    return {first * mean, first * std::sqrt(variance), first * values[begin],
            first * values[begin + within]};
}

}  // namespace emulsion
