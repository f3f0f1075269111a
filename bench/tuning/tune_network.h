// Tunes a planned network: searches faster loop nests, plans again with what was measured, and keeps what makes the whole
// network faster.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "backend/compiler.h"
#include "backend/planned_model.h"
#include "bench/measure.h"
#include "bench/tuning/network_search.h"
#include "frontend/lower/tuned_nests.h"

namespace emulsion {

class Progress;

struct NetworkTuning {
    NetworkSearchOptions search;
    double share = 0.95;  // of the predicted time: the largest tasks that make it are tuned
    std::string only;     // tasks whose label has that text; empty: all
    bool searches_only =
        false;                // and neither plans again nor judges in the network: nothing is tuned
    bool plans_again = true;  // with measured prices, and tunes groups that are new then
    size_t finalists = 4;     // nests of a group that are tried in the network
    double seconds_in_network = 10.0;  // at least; a long search is judged for longer
    Effort whole{.iterations = 0, .seconds = 5.0, .warmup = 3};
};

// The groups of a network to tune.
struct ChosenTasks {
    std::vector<TuningTask> tasks;  // the largest first
    int left_out = 0;               // distinct groups that are not among them
};

// Of a plan with what was found for its groups.
struct TunedPlanTimes {
    std::map<std::string, TunedNest> nests;  // by problem: those that are faster in the network
    double ms = 0.0;                         // of a run of the network; 0: there is no such plan
};

struct TunedNetwork {
    std::vector<SearchedTask> tasks;  // of the first plan, the largest first, then of others
    std::vector<TuningStep> steps;    // of the search
    std::vector<RecordedTask> trajectories;
    int left_out = 0;  // distinct groups of the first plan that were not tuned
    int plans = 1;     // that were looked at, the first included
    int64_t trials = 0;
    double seconds = 0.0;  // of the search
    // Features that the strategies' model has looked at, the most important first, with their shares.
    std::vector<std::pair<std::string, double>> importances;
    // Medians of whole runs, in turns.
    double untuned_ms = 0.0;
    TunedPlanTimes first;  // the planner's plan
    TunedPlanTimes
        other;  // the fastest that measured prices led to, where it was faster than the first
    // Its time over the first one's, with the nests of both that had been found by then; 0: there is no other plan.
    double other_over_first = 0.0;
    TunedNests tuned;  // none, and no plan, where the network did not become faster

    double best_ms() const {
        return other.ms > 0.0 && (first.ms <= 0.0 || other.ms < first.ms) ? other.ms : first.ms;
    }
    bool is_faster() const { return best_ms() > 0.0 && best_ms() < untuned_ms; }
    // Of a group's nest in the fastest plan, in runs of the network, over the planned one; 1 where that stays.
    double ratio_in_network(const std::string &problem) const {
        const auto &nests = best_ms() == other.ms ? other.nests : first.nests;
        const auto found = nests.find(problem);
        return found != nests.end() ? found->second.ratio : 1.0;
    }
};

// Of a network that was planned with `options`: the largest groups that make that share of the predicted time of all.
// Of those whose label has the text `only`. Throws Error for a network without any such group to tune.
ChosenTasks choose_tasks(const PlannedModel &planned, const CompileOptions &options, double share,
                         const std::string &only);

// Of a model that was planned with `options`, for this machine. Throws Error: as choose_tasks, where time is up before a
// candidate was measured, and where the tuned network computes something else.
TunedNetwork tune_network(const PlannedModel &planned, const CompileOptions &options,
                          const NetworkTuning &tuning, Progress &progress);

}  // namespace emulsion
