// Tunes the loop nests of a planned network: searches, confirms what was found, and keeps it where the whole network
// becomes faster.
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
    std::string store;      // file; empty: nothing is kept
    double share = 0.95;    // of the predicted time: the largest tasks that make it are tuned
    std::string arguments;  // as users gave them, JSON, for the store
    Effort whole{.iterations = 0, .seconds = 5.0, .warmup = 3};
};

// After a batch.
struct TuningStep {
    size_t task = 0;          // that was tuned
    double seconds = 0.0;     // of the search
    double task_ratio = 1.0;  // of its fastest nest so far
    double ratio = 1.0;       // of all groups; those that were not measured yet count as they are predicted
};

struct TunedNetwork {
    std::vector<TuningTask> tasks;  // that were tuned, the largest first
    std::vector<TuningStep> steps;  // of the search
    int left_out = 0;               // distinct groups that were not
    SessionReport session;
    std::vector<double>
        confirmed;  // by task: ratio in a second sitting; 1 where nothing faster was found
    double untuned_ms = 0.0,
           tuned_ms = 0.0;  // medians of whole runs, interleaved; 0: nothing to compare
    TunedNests tuned;       // none where the network did not become faster

    bool is_faster() const { return tuned_ms > 0.0 && tuned_ms < untuned_ms; }
};

// Of a model that was planned with `options`, for this machine. Throws Error: for a network without a group to tune, where
// time is up before a candidate was measured, and where the tuned network computes something else.
TunedNetwork tune_network(const PlannedModel &planned, const CompileOptions &options,
                          const NetworkTuning &tuning, Progress &progress);

// Its tasks alone: nothing is measured.
TunedNetwork list_tasks(const PlannedModel &planned, const CompileOptions &options,
                        const NetworkTuning &tuning);

// Tables on stdout: of what was measured, and of the spaces.
void print_tuned(const TunedNetwork &tuned);
void print_tasks(const TunedNetwork &tuned);

}  // namespace emulsion
