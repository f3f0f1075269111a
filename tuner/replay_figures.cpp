#include "tuner/replay_figures.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <random>
#include <span>

#include "fusion/error.h"
#include "fusion/geometric_mean.h"
#include "tuner/session.h"
#include "tuner/strategy.h"

namespace emulsion {

namespace {

// Of a sorted list, the smallest value that so many of the list do not exceed.
double quantile(const std::vector<double> &sorted, double share) {
    if (sorted.empty()) {
        return 0.0;
    }
    const auto rank = std::ceil(share * static_cast<double>(sorted.size()));
    return sorted[static_cast<size_t>(std::max(rank, 1.0)) - 1];
}

TaskFigures figures_of(const RecordedTask &recorded) {
    constexpr double kFast = 1.5;
    TaskFigures figures{recorded.task.label, recorded.task.space.template_name, recorded.planned_ms,
                        recorded.points.size()};
    double best = 1.0;
    std::vector<double> all, apart;
    double seconds = 0.0;
    for (const auto &[text, results] : recorded.points) {
        const auto &[first, second] = results;
        seconds += first.seconds;
        if (first.outcome != Outcome::Ok || second.outcome != Outcome::Ok) {
            figures.failed++;
            continue;
        }
        all.push_back(second.ratio);
        if (first.ratio <= kFast) {
            apart.push_back(std::fabs(second.ratio / first.ratio - 1.0));
        }
        if (first.ratio < best) {
            best = first.ratio;
            figures.best = second.ratio;
        }
    }
    std::sort(all.begin(), all.end());
    std::sort(apart.begin(), apart.end());
    figures.median = quantile(all, 0.5);
    figures.noise_median = quantile(apart, 0.5);
    figures.noise_p95 = quantile(apart, 0.95);
    constexpr double kSecondsPerMinute = 60.0;
    figures.trials_per_minute =
        seconds > 0.0 ? static_cast<double>(figures.points) / seconds * kSecondsPerMinute : 0.0;
    return figures;
}

NoiseFigures noise_of(const std::vector<RecordedTask> &record, size_t points) {
    constexpr double kLeastMs = 0.02, kMostMs = 20.0;
    std::vector<double> apart;
    for (const RecordedTask &recorded : record) {
        for (const auto &[text, results] : recorded.points) {
            const auto &[first, second] = results;
            if (recorded.planned_ms >= kLeastMs && recorded.planned_ms <= kMostMs &&
                first.outcome == Outcome::Ok && second.outcome == Outcome::Ok) {
                apart.push_back(std::fabs(second.ratio / first.ratio - 1.0));
            }
        }
    }
    std::mt19937_64 engine(1);
    std::vector<double> drawn;
    std::sample(apart.begin(), apart.end(), std::back_inserter(drawn), points, engine);
    std::sort(drawn.begin(), drawn.end());
    return {drawn.size(), quantile(drawn, 0.5), quantile(drawn, 0.95)};
}

// The second sitting's ratios of what a strategy has chosen after so many trials; and how many it has used.
struct Choices {
    std::vector<double> ratios;
    int64_t trials = 0;
};

Choices choices_of(const RecordedTask &recorded, const std::string &strategy, uint64_t seed,
                   const ReplayOptions &options) {
    const std::vector<TuningTask> tasks{recorded.task};
    Replay replay({&recorded, 1});
    Choices choices;
    double best = 1.0, judged = 1.0;
    size_t next = 0;
    SessionHooks hooks;
    hooks.measured = [&](const MeasuredBatch &batch, const SessionReport &) {
        for (const Result &result : std::span(batch.results).first(batch.trials)) {
            if (result.outcome == Outcome::Ok && result.ratio < best) {
                best = result.ratio;
                judged = replay.judged(recorded.task, result.nest);
            }
            choices.trials++;
            if (next < options.trials.size() && choices.trials == options.trials[next]) {
                choices.ratios.push_back(judged);
                next++;
            }
        }
    };
    const SessionOptions session{.strategy = strategy,
                                 .seed = seed,
                                 .trials = options.trials.back(),
                                 .batch = options.batch};
    run_session(tasks, session, replay, hooks);
    choices.ratios.resize(options.trials.size(), judged);
    return choices;
}

StrategyFigures figures_of(const std::string &strategy, const std::vector<RecordedTask> &record,
                           const std::vector<TaskFigures> &tasks, const ReplayOptions &options) {
    const size_t budgets = options.trials.size();
    StrategyFigures figures{strategy, {}, std::vector<double>(budgets, 0.0), {}};
    std::vector<std::vector<double>> over_best(budgets), over_planned(budgets);
    for (size_t i = 0; i < record.size(); i++) {
        std::vector<std::vector<double>> of_task(budgets);
        for (int seed = 1; seed <= options.seeds; seed++) {
            const Choices choices =
                choices_of(record[i], strategy, static_cast<uint64_t>(seed), options);
            figures.trials += static_cast<double>(choices.trials);
            for (size_t b = 0; b < budgets; b++) {
                over_planned[b].push_back(choices.ratios[b]);
                over_best[b].push_back(choices.ratios[b] / tasks[i].best);
                of_task[b].push_back(over_best[b].back());
            }
        }
        for (size_t b = 0; b < budgets; b++) {
            figures.worst[b] = std::max(figures.worst[b], geometric_mean(of_task[b]));
        }
    }
    figures.trials /= static_cast<double>(options.seeds) * static_cast<double>(record.size());
    for (size_t b = 0; b < budgets; b++) {
        figures.over_best.push_back(geometric_mean(over_best[b]));
        figures.over_planned.push_back(geometric_mean(over_planned[b]));
    }
    return figures;
}

}  // namespace

ReplayFigures replay_figures(const std::vector<RecordedTask> &record,
                             const ReplayOptions &options) {
    if (record.empty() || options.trials.empty() || options.seeds < 1) {
        throw Error("a replay needs a recorded task, a number of trials and a seed");
    }
    ReplayFigures figures{
        options.trials, options.seeds, {}, noise_of(record, options.noise_points), {}};
    for (const RecordedTask &recorded : record) {
        figures.tasks.push_back(figures_of(recorded));
    }
    std::vector<std::string> names = options.strategies;
    for (const StrategyKind *kind : all_strategies()) {
        if (options.strategies.empty()) {
            names.push_back(kind->name);
        }
    }
    for (const std::string &name : names) {
        figures.strategies.push_back(figures_of(name, record, figures.tasks, options));
    }
    return figures;
}

}  // namespace emulsion
