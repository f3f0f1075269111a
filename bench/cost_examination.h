// How well a cost model predicts measured groups.
#pragma once

#include <string>
#include <vector>

#include "bench/cost_samples.h"

namespace emulsion {

// The same operators computed in two ways: as one group, and as several.
struct DecisionPair {
    std::string model, label;
    double fused_ms = 0.0, apart_ms = 0.0;                      // measured
    double predicted_fused_ms = 0.0, predicted_apart_ms = 0.0;  // by the model

    // Measured difference over the smaller time.
    double difference() const;
    bool agrees() const;
};

// All pairs of a network's samples; `predicted` as predicted_ms has them.
std::vector<DecisionPair> decision_pairs(const SampledNetwork &network,
                                         const std::vector<double> &predicted);

struct CostExamination {
    size_t groups = 0;
    // Rank correlation with the times: of the model's predictions, of counting operations alone, and of
    // counting bytes alone.
    double spearman = 0.0, operations_spearman = 0.0, bytes_spearman = 0.0;
    double median_error = 0.0;  // |predicted - measured| / measured
    std::vector<DecisionPair> pairs;

    // Pairs whose times differ by more than this share, and those of them whose faster side the model
    // names.
    size_t decisive(double share) const;
    size_t agreeing(double share) const;
};

CostExamination examine(const std::vector<SampledNetwork> &networks, const Machine &machine);

// An SVG picture of predicted over measured times, both logarithmic.
std::string scatter_plot(const std::vector<SampledNetwork> &networks, const Machine &machine);

}  // namespace emulsion
