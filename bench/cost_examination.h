// How well a cost model predicts measured groups.
#pragma once

#include <vector>

#include "bench/cost_samples.h"
#include "bench/prediction_figures.h"

namespace emulsion {

// All pairs of a network's samples: operators as one group, first, and as several. `predicted` as predicted_ms has
// them.
std::vector<DecisionPair> decision_pairs(const SampledNetwork &network,
                                         const std::vector<double> &predicted);
std::vector<TimedPrediction> timed_predictions(const SampledNetwork &network,
                                               const std::vector<double> &predicted);

struct CostExamination {
    std::vector<TimedPrediction> predictions;  // of all samples of all networks
    PredictionFigures figures;
    // Rank correlation with the times of counting operations alone, and of counting bytes alone.
    double operations_spearman = 0.0, bytes_spearman = 0.0;
};

CostExamination examine(const std::vector<SampledNetwork> &networks, const Machine &machine);

}  // namespace emulsion
