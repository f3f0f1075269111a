#include "bench/tuning/network_search.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "backend/interrupt.h"
#include "backend/unit_builder.h"
#include "bench/progress.h"
#include "frontend/lower/lower_unit.h"
#include "tuner/points.h"
#include "tuner/strategy.h"

namespace emulsion {

namespace {

double milliseconds(const SearchedTask &searched) {
    const double measured = searched.found.curve.planned_ms;
    return measured > 0.0 ? measured : searched.task.predicted_ms;
}

}  // namespace

NetworkSearch::NetworkSearch(const CompileOptions &options, const NetworkSearchOptions &search,
                             const std::string &machine, Progress &progress)
    : search_(search), progress_(progress), measurer_(options, search.trial) {
    if (!search.store.empty()) {
        store_.emplace(search.store);
        build_ = build_with(options);
        stored_session_ = store_->begin(
            {search.session.strategy, search.session.seed, search.arguments, build_, machine});
    }
}

std::vector<size_t> NetworkSearch::add(std::vector<TuningTask> tasks, const PlannedModel &planned) {
    std::vector<size_t> positions;
    for (TuningTask &task : tasks) {
        const auto known = position_.emplace(task.problem, tasks_.size());
        positions.push_back(known.first->second);
        if (!known.second) {
            continue;
        }
        measurer_.add(task, planned);
        std::vector<Result> &results = results_[task.problem];
        if (store_) {
            results = store_->results(task, build_);
        }
        TunedTask found{.best = BestPoint(task.planned)};
        found.curve.launches = task.launches;
        found.best.add(results);
        tasks_.push_back({std::move(task), std::move(found), {}});
    }
    first_tasks_ = first_tasks_ > 0 ? first_tasks_ : tasks_.size();
    return positions;
}

void NetworkSearch::run(const std::vector<size_t> &positions, double share) {
    SessionOptions limits = search_.session;
    if (limits.trials > 0) {
        limits.trials = std::lround(share * static_cast<double>(limits.trials)) - trials_;
    }
    limits.seconds *= share;
    if ((search_.session.trials > 0 && limits.trials <= 0) ||
        (limits.seconds > 0.0 && seconds() >= limits.seconds)) {
        return;
    }
    std::vector<TuningTask> tasks;
    for (const size_t position : positions) {
        tasks.push_back(tasks_[position].task);
    }
    SessionHooks hooks;
    hooks.earlier = [&](const TuningTask &task) { return results_[task.problem]; };
    hooks.measured = [&](const MeasuredBatch &batch, const SessionReport &) {
        check_interrupted();
        take(positions[batch.task], batch);
        measurer_.require_quiet();
    };
    show("tuning");
    SessionReport report = run_session(tasks, limits, measurer_, hooks);
    importances_ = std::move(report.importances);
    for (size_t i = 0; i < positions.size(); i++) {
        tasks_[positions[i]].found.belief = std::move(report.tasks[i].belief);
    }
}

void NetworkSearch::take(size_t position, const MeasuredBatch &batch) {
    const TuningTask &task = tasks_[position].task;
    TunedTask &found = tasks_[position].found;
    std::vector<Result> &known = results_[task.problem];
    known.insert(known.end(), batch.results.begin(), batch.results.end());
    if (store_) {
        store_->add(stored_session_, sitting_++, task, batch.results);
        if (!batch.code.empty()) {
            store_->add_code(task, nests_of(batch.proposals), batch.code, unit_features_versions());
        }
    }
    for (size_t i = 0; i < batch.trials; i++) {
        const Result &result = batch.results[i];
        found.outcomes[result.outcome]++;
        tasks_[position].tried.push_back({batch.proposals[i].origin, batch.proposals[i].predicted,
                                          result.outcome, result.ratio});
    }
    found.best.add(batch.results);
    found.trials += static_cast<int64_t>(batch.trials);
    found.curve.planned_ms = measurer_.planned_ms(task);
    found.curve.best.push_back(found.best.ratio());
    trials_ += static_cast<int64_t>(batch.trials);
    steps_.push_back({position, seconds(), found.best.ratio(), ratio_of_all()});
    show(fmt::format("tuning: all {:.3f} of the planned time, {} {:.3f}", steps_.back().ratio,
                     task.label, found.best.ratio()));
}

double NetworkSearch::ratio_of_all() const {
    double planned = 0.0, tuned = 0.0;
    for (const SearchedTask &searched : std::span(tasks_).first(first_tasks_)) {
        const double ms = searched.task.launches * milliseconds(searched);
        planned += ms;
        tuned += ms * searched.found.best.ratio();
    }
    return planned > 0.0 ? tuned / planned : 1.0;
}

MeasuredTimes NetworkSearch::times() const {
    std::map<std::string, double> times;
    for (const SearchedTask &searched : tasks_) {
        times[searched.task.problem] =
            searched.found.curve.planned_ms * searched.found.best.ratio();
    }
    return [times](const std::string &problem) {
        const auto found = times.find(problem);
        return found != times.end() ? found->second : 0.0;
    };
}

std::vector<RecordedTask> NetworkSearch::trajectories() const {
    std::vector<RecordedTask> record;
    for (const SearchedTask &searched : tasks_) {
        RecordedTask recorded{searched.task, searched.found.curve.planned_ms, {}};
        for (const Result &result : results_.at(searched.task.problem)) {
            if (result.nest != searched.task.planned) {
                recorded.points.emplace(point_text(result.nest), std::pair{result, result});
            }
        }
        record.push_back(std::move(recorded));
    }
    return record;
}

// Trials where they are limited, else seconds; and how many seconds are left, where they are known.
void NetworkSearch::show(const std::string &what) {
    const SessionOptions &limits = search_.session;
    constexpr double kNever = 1e300;
    const bool by_trials = limits.trials > 0;
    const auto trials = static_cast<double>(trials_);
    double left = limits.seconds > 0.0 ? limits.seconds - seconds() : kNever;
    if (by_trials && trials_ > 0) {
        left = std::min(left, seconds() / trials * (static_cast<double>(limits.trials) - trials));
    }
    progress_.show(
        static_cast<int>(by_trials ? trials : seconds()),
        static_cast<int>(by_trials ? static_cast<double>(limits.trials) : limits.seconds),
        left < kNever ? fmt::format("({:.0f} s left) {}", std::max(left, 0.0), what) : what);
}

}  // namespace emulsion
