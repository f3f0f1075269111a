// How good strategies are, by replay of a record: they choose on its first sitting and are judged on its second.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tuner/geometric_interval.h"
#include "tuner/replay.h"

namespace emulsion {

class Predictor;

// What there is to find: a space in which everything is equal shows nothing.
struct TaskFigures {
    std::string label, template_name;
    double planned_ms = 0.0;
    size_t points = 0, failed = 0;
    // Ratios of the second sitting: of the point that is fastest in the first, and the median of all.
    double best = 1.0, median = 1.0;
    // How far the ratios of the two sittings are apart, of the points that are at most 1.5 in the first.
    double noise_median = 0.0, noise_p95 = 0.0;
    double trials_per_minute = 0.0;  // compiling included
};

// How far the ratios of two sittings are apart: of points drawn at random, slow ones too.
struct NoiseFigures {
    size_t points = 0;
    double median = 0.0, p95 = 0.0;
};

struct StrategyFigures {
    std::string name;
    // By number of trials: the geometric mean, over tasks and seeds, of the second sitting's ratio of what was chosen
    // over that of the best point; and the largest one of a task, in geometric mean over its seeds. The planned nest may be
    // chosen, too.
    std::vector<double> over_best, worst;
    // The same where only what was proposed may be chosen.
    std::vector<double> found_over_best;
    // Geometric mean, over tasks and seeds, of the time of what was chosen over that of the planned nest.
    std::vector<double> over_planned;
    double trials =
        0.0;  // that it has used, in the mean, where it may use as many as the largest number
    // Trials until what was found is at most 5 % from the best: geometric mean; where that did not happen, all trials of
    // the largest number count.
    double trials_to_best = 0.0;
    // How many times as fast what it has found is as what the reference has found, by number of trials; and how many times as many trials
    // that takes to come within 5 %.
    std::vector<GeometricInterval> times_as_fast;
    GeometricInterval times_as_soon;
};

struct ReplayFigures {
    std::vector<int64_t> trials;
    int seeds = 0;
    std::vector<TaskFigures> tasks;
    double planned_over_best = 1.0, planned_worst = 1.0;  // of the planned nests, without any trial
    NoiseFigures noise;  // of tasks whose planned nest takes 20 us to 20 ms
    std::vector<StrategyFigures> strategies;
};

struct ReplayOptions {
    std::vector<std::string> strategies;  // by name; none: all
    std::vector<int64_t> trials{8, 16, 32, 64, 128};
    int seeds = 5;
    size_t batch = 8;
    size_t noise_points = 200;
    std::string reference = "random";              // strategy that others are compared with
    bool knows_suggestions = true;                 // strategies are told what the machine suggests
    std::shared_ptr<const Predictor> predictor{};  // of SearchContext
};

// Equal records and options give equal figures. Throws Error for an unknown strategy and an empty record.
ReplayFigures replay_figures(const std::vector<RecordedTask> &record, const ReplayOptions &options);

}  // namespace emulsion
