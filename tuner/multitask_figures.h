// What searches gain by knowing several tasks of one kind, with few trials each: by replay of a record of such tasks, as in figure 6 of GPTune (Y. Liu
// et al., PPoPP 2021).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tuner/geometric_interval.h"
#include "tuner/replay.h"

namespace emulsion {

// A strategy and the model that its sessions learn; without one, its own.
struct MultitaskSearch {
    std::string strategy, model;

    std::string name() const { return model.empty() ? strategy : strategy + ", " + model; }
};

struct MultitaskOptions {
    std::vector<MultitaskSearch> searches{{"gptune", "coregional"},
                                          {"gptune", "gaussian"},
                                          {"gptune", "trees"},
                                          {"ansor", ""},
                                          {"random", ""}};
    size_t reference = 1;  // of these: that which knows a task by itself
    int64_t trials = 20;   // of each task
    int seeds = 10;
};

struct MultitaskTask {
    std::string label, template_name;
    double best = 1.0, median = 1.0;  // ratios of the second sitting
    // By search: what it has found over the best, by the second sitting, in geometric mean over seeds. The planned nest may not be chosen.
    std::vector<double> over_best;
    // What the process of the kind's other tasks picks, without any trial of this one, over the best; and the planned nest over it.
    double transferred = 1.0, planned = 1.0;
};

struct MultitaskFigures {
    std::vector<MultitaskTask> tasks;
    // By search: how many times as fast what it has found is as what the reference has found; and the share of tasks in which that is at least 0.98.
    std::vector<GeometricInterval> times_as_fast;
    std::vector<double> wins_or_ties;
};

// Tasks of one template are searched in one session, one point of each in turns. Equal arguments give equal figures. Throws Error for unknown names, and
// for a record in which a template has one task only.
MultitaskFigures multitask_figures(const std::vector<RecordedTask> &record,
                                   const MultitaskOptions &options);

}  // namespace emulsion
