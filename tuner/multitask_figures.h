// What searches gain by knowing several tasks of one kind, with few trials each, as in figure 6 of GPTune (Y. Liu et al., PPoPP 2021): by replay of
// points all over the spaces of such tasks, which were drawn at random and measured.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tuner/geometric_interval.h"
#include "tuner/store.h"

namespace emulsion {

struct MultitaskOptions {
    // Of these, which say what the second half of the trials is: of the points that are left, that of which the largest improvement is
    // expected. "": any.
    std::vector<std::string> models{"coregional", "gaussian", "trees", ""};
    size_t reference = 1;  // of these: that which knows a task by itself
    size_t trials =
        20;  // of each task; the first half is drawn at random, the same points for all models
    int seeds = 10;
    size_t fewest = 90;  // points of a task; with less, it is left out
    int jobs = 1;        // searches at a time
};

struct MultitaskTask {
    std::string label, kind;  // label of the first task of its kind
    size_t points = 0;
    double best = 1.0, median = 1.0;  // ratios
    // By model: what was found over the best, in geometric mean over seeds. The planned nest is none of the points.
    std::vector<double> over_best;
    // What the process of the kind's other tasks picks, without any trial of this one, over the best.
    double transferred = 1.0;
};

struct MultitaskFigures {
    std::vector<MultitaskTask> tasks;
    // By model: how many times as fast what it has found is as what the reference has found; and the share of tasks in which that is at least 0.98.
    std::vector<GeometricInterval> times_as_fast;
    std::vector<double> wins_or_ties;
};

// Tasks are of one kind whose points have the same features; those without any other of their kind are left out. A kind's tasks have their turns,
// one point each, and models learn what was measured of all of them after each round. Equal arguments give equal figures. Throws Error for unknown
// names, and where no two tasks are of one kind.
MultitaskFigures multitask_figures(const std::vector<StoredSamples> &tasks,
                                   const MultitaskOptions &options);

}  // namespace emulsion
