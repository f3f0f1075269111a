// How good models are at ranking points that nobody has measured, by replay of a record.
#pragma once

#include <string>
#include <vector>

#include "tuner/geometric_interval.h"
#include "tuner/replay.h"

namespace emulsion {

struct ModelOptions {
    std::vector<std::string> models;  // by name; none: all
    size_t samples = 64;              // of a task, drawn at random, that the model learns from
    int seeds = 5;
};

struct ModelFigures {
    std::string name;
    // Of the other points: the share of the fastest tenth, by the second sitting, that is in the tenth which the model thinks
    // fastest, over that of a tenth drawn at random.
    GeometricInterval recall;
    double rank_correlation = 0.0;  // Kendall's tau of predictions and the second sitting, the mean
};

// Models learn the first sitting. Of tasks with at least four times as many points as `samples`. Equal arguments give equal figures.
std::vector<ModelFigures> model_figures(const std::vector<RecordedTask> &record,
                                        const ModelOptions &options);

}  // namespace emulsion
