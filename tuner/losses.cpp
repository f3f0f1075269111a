#include "tuner/losses.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace emulsion {

namespace {

// Newton steps need curvature everywhere.
constexpr double kLeastHessian = 1e-6;

// log(1 + exp(x)), without overflow.
double soft_plus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::fabs(x))); }

Loss no_loss(size_t programs) {
    return {0.0, std::vector<float>(programs, 0.0F),
            std::vector<float>(programs, static_cast<float>(kLeastHessian))};
}

}  // namespace

double probability(double score) { return 1.0 / (1.0 + std::exp(-score)); }

LossFunction squared_error(std::vector<float> labels, std::vector<float> weights) {
    assert(labels.size() == weights.size());
    return
        [labels = std::move(labels), weights = std::move(weights)](std::span<const float> scores) {
            Loss loss = no_loss(scores.size());
            for (size_t i = 0; i < scores.size(); i++) {
                const float off = scores[i] - labels[i];
                loss.value += weights[i] * off * off;
                loss.gradients[i] = 2.0F * weights[i] * off;
                loss.hessians[i] = std::max(2.0F * weights[i], static_cast<float>(kLeastHessian));
            }
            return loss;
        };
}

LossFunction throughput_error(std::vector<float> labels) {
    constexpr float kLeastWeight = 0.05F;
    std::vector<float> weights = labels;
    for (float &weight : weights) {
        weight = std::max(weight, kLeastWeight);
    }
    return squared_error(std::move(labels), std::move(weights));
}

LossFunction logistic_error(std::vector<float> labels) {
    return [labels = std::move(labels)](std::span<const float> scores) {
        Loss loss = no_loss(scores.size());
        for (size_t i = 0; i < scores.size(); i++) {
            const double p = probability(scores[i]);
            loss.value += soft_plus(scores[i]) - static_cast<double>(labels[i] * scores[i]);
            loss.gradients[i] = static_cast<float>(p - labels[i]);
            loss.hessians[i] = static_cast<float>(std::max(p * (1.0 - p), kLeastHessian));
        }
        return loss;
    };
}

LossFunction ranking_error(std::vector<float> labels, std::vector<size_t> group) {
    assert(labels.size() == group.size());
    return [labels = std::move(labels), group = std::move(group)](std::span<const float> scores) {
        Loss loss = no_loss(scores.size());
        for (size_t i = 0; i < scores.size(); i++) {
            for (size_t j = i + 1; j < scores.size() && group[j] == group[i]; j++) {
                const double weight = std::fabs(labels[i] - labels[j]);
                if (weight <= 0.0) {
                    continue;
                }
                const auto [high, low] = labels[i] > labels[j] ? std::pair{i, j} : std::pair{j, i};
                const double margin = scores[low] - scores[high];
                const double p = probability(margin);  // that they are the wrong way round
                loss.value += weight * soft_plus(margin);
                loss.gradients[high] -= static_cast<float>(weight * p);
                loss.gradients[low] += static_cast<float>(weight * p);
                const auto curvature = static_cast<float>(weight * p * (1.0 - p));
                loss.hessians[high] += curvature;
                loss.hessians[low] += curvature;
            }
        }
        return loss;
    };
}

}  // namespace emulsion
