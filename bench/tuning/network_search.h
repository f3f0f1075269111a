// Searches faster loop nests for the groups of a network and of other plans of it, one search after the other.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "backend/compiler.h"
#include "bench/tuning/candidate_trial.h"
#include "bench/tuning/planning_again.h"
#include "bench/tuning/plans_measurer.h"
#include "frontend/lower/network.h"
#include "tuner/replay.h"
#include "tuner/session.h"
#include "tuner/store.h"

namespace emulsion {

class Progress;

struct NetworkSearchOptions {
    SessionOptions session;  // its limits are those of all searches together
    TrialOptions trial;
    std::string store;      // file; empty: nothing is kept
    std::string arguments;  // as users gave them, JSON, for the store
};

// A trial, and what the strategy thought of it.
struct TriedPoint {
    std::string origin;               // as Proposal has it
    std::optional<double> predicted;  // ...
    Outcome outcome = Outcome::Ok;
    double ratio = 0.0;  // of Ok
};

struct SearchedTask {
    TuningTask task;
    TunedTask found;
    std::vector<TriedPoint> tried{};  // in the order of the trials
};

// After a batch.
struct TuningStep {
    size_t task = 0;          // that was tuned
    double seconds = 0.0;     // of the search
    double task_ratio = 1.0;  // of its fastest nest so far
    // Of all groups that were added; those that were not measured yet count as they are predicted.
    double ratio = 1.0;
};

class NetworkSearch {
public:
    // `machine` is the fingerprint of this one.
    NetworkSearch(const CompileOptions &options, const NetworkSearchOptions &search,
                  const std::string &machine, Progress &progress);

    // The positions of these tasks of the first network of `planned`, which outlives this, among all: new ones behind those that are known.
    std::vector<size_t> add(std::vector<TuningTask> tasks, const PlannedModel &planned);
    // Goes on with the tasks at these positions until that share of all trials and seconds is used up.
    void run(const std::vector<size_t> &positions, double share);

    const std::vector<SearchedTask> &tasks() const { return tasks_; }
    const std::vector<TuningStep> &steps() const { return steps_; }
    int64_t trials() const { return trials_; }
    double seconds() const { return measurer_.seconds(); }
    // All that is known of the tasks, as a record whose sittings are the same.
    std::vector<RecordedTask> trajectories() const;
    // Of the model, after the last search (SessionReport::importances).
    const std::vector<std::pair<std::string, double>> &importances() const { return importances_; }
    // What launches of problems take with the fastest nests.
    MeasuredTimes times() const;

private:
    void take(size_t position, const MeasuredBatch &batch);
    double ratio_of_all() const;  // that came first
    void show(const std::string &what);

    const NetworkSearchOptions search_;
    Progress &progress_;
    PlansMeasurer measurer_;
    std::optional<Store> store_;
    std::string build_;  // of the compiler, where there is a store
    int64_t stored_session_ = 0;
    int sitting_ = 0;
    std::vector<SearchedTask> tasks_;
    size_t first_tasks_ = 0;  // so many of them came first: those of the planner's plan
    std::map<std::string, size_t> position_;              // by problem
    std::map<std::string, std::vector<Result>> results_;  // by problem, all that is known
    std::vector<TuningStep> steps_;
    int64_t trials_ = 0;
    std::vector<std::pair<std::string, double>> importances_;
};

}  // namespace emulsion
