// Tunes a planned network: searches faster loop nests, plans again with what was measured, confirms what was found, and
// keeps what makes the whole network faster.
#pragma once

#include <string>
#include <vector>

#include "backend/compiler.h"
#include "backend/planned_model.h"
#include "bench/measure.h"
#include "bench/tuning/candidate_trial.h"
#include "frontend/lower/tuned_nests.h"
#include "tuner/session.h"

namespace emulsion {

class Progress;

struct NetworkTuning {
    SessionOptions session;
    TrialOptions trial;
    std::string store;        // file; empty: nothing is kept
    double share = 0.95;      // of the predicted time: the largest tasks that make it are tuned
    bool plans_again = true;  // with measured prices, and tunes groups that are new then
    std::string arguments;    // as users gave them, JSON, for the store
    Effort whole{.iterations = 0, .seconds = 5.0, .warmup = 3};
};

// After a batch.
struct TuningStep {
    size_t task = 0;          // that was tuned
    double seconds = 0.0;     // of the search
    double task_ratio = 1.0;  // of its fastest nest so far
    double ratio =
        1.0;  // of all groups; those that were not measured yet count as they are predicted
};

struct TunedNetwork {
    std::vector<TuningTask>
        tasks;  // that were tuned: of the first plan, the largest first, then of others
    std::vector<TuningStep> steps;  // of the search
    int left_out = 0;               // distinct groups of the first plan that were not
    int plans = 1;                  // that were looked at, the first included
    SessionReport session;
    std::vector<double>
        confirmed;  // by task: ratio in a second sitting; 1 where nothing faster was found
    // Medians of whole runs, in turns: of the first plan, with the planner's and with the tuned loop nests, and of the
    // last plan with tuned ones; 0: there is no such.
    double untuned_ms = 0.0, tuned_ms = 0.0, planned_again_ms = 0.0;
    TunedNests tuned;  // none, and no plan, where the network did not become faster

    double best_ms() const {
        return planned_again_ms > 0.0 && (tuned_ms <= 0.0 || planned_again_ms < tuned_ms)
                   ? planned_again_ms
                   : tuned_ms;
    }
    bool is_faster() const { return best_ms() > 0.0 && best_ms() < untuned_ms; }
};

// Of a model that was planned with `options`, for this machine. Throws Error: for a network without a group to tune, where
// time is up before a candidate was measured, and where the tuned network computes something else.
TunedNetwork tune_network(const PlannedModel &planned, const CompileOptions &options,
                          const NetworkTuning &tuning, Progress &progress);

// Its tasks alone: nothing is measured.
TunedNetwork list_tasks(const PlannedModel &planned, const CompileOptions &options,
                        const NetworkTuning &tuning);

}  // namespace emulsion
