// How well predicted times agree with measured ones: of whatever was predicted, groups of networks or schedules of
// pipelines.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace emulsion {

struct TimedPrediction {
    std::string source;  // the network or pipeline
    double measured_ms = 0.0, predicted_ms = 0.0;
};

// The same computed in two ways, such as operators as one group and as several.
struct DecisionPair {
    std::string source, label;
    double first_ms = 0.0, second_ms = 0.0;                      // measured
    double predicted_first_ms = 0.0, predicted_second_ms = 0.0;  // by the model

    // Measured difference over the smaller time.
    double difference() const;
    bool agrees() const;
    // How far the predicted ratio of the two is from the measured one, as a logarithm.
    double error() const;
};

// Pairs that differ by less don't count: what is taken of them hardly matters.
constexpr double kDecisive = 0.05;

struct PredictionFigures {
    size_t predictions = 0;
    double spearman = 0.0;      // rank correlation with the times
    double median_error = 0.0;  // |predicted - measured| / measured
    std::vector<DecisionPair> pairs;

    // Pairs whose times differ by more than this share, and those of them whose faster side the model
    // names.
    size_t decisive(double share = kDecisive) const;
    size_t agreeing(double share = kDecisive) const;
    // The share of the decisive ones that agree; 0 where there are none.
    double agreement(double share = kDecisive) const;
};

PredictionFigures figures_of(const std::vector<TimedPrediction> &predictions,
                             std::vector<DecisionPair> pairs);

// Means of |ln(predicted / measured)| over all predictions that have both, and of DecisionPair::error over the decisive
// pairs: 0 is perfect, 0.1 about 10 %.
double mean_log_error(const std::vector<TimedPrediction> &predictions);
double mean_log_error(const std::vector<DecisionPair> &pairs);

// An SVG picture of predicted over measured times, both logarithmic, with a colour for every source.
std::string scatter_plot(const std::vector<TimedPrediction> &predictions);

}  // namespace emulsion
