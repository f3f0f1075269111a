#include "tuner/replay_figures.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <random>
#include <span>

#include "fusion/error.h"
#include "fusion/geometric_mean.h"
#include "tuner/outcome.h"
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

// What a strategy has chosen after so many trials, as ratios of the second sitting.
struct Choices {
    std::vector<double> chosen;  // by number of trials: of the best, the planned nest among them
    std::vector<double> found;   // ... of the best that was proposed
    int64_t trials = 0;          // that it has used
    int64_t trials_to_best = 0;  // until what was found is close to the best
};

// Follows what is the best so far in the first sitting, and what it is in the second.
class Choosing {
public:
    Choosing(const TuningTask &task, const Replay &replay, double best,
             const ReplayOptions &options)
        : task_(task), replay_(replay), best_(best), options_(options) {}

    void take(const Result &result) {
        constexpr double kClose = 1.05;
        choices_.trials++;
        if (result.outcome == Outcome::Ok) {
            const double judged = replay_.judged(task_, result.nest);
            update(chosen_, result.ratio, judged);
            update(found_, result.ratio, judged);
        }
        if (choices_.trials_to_best == 0 && found_.judged <= kClose * best_) {
            choices_.trials_to_best = choices_.trials;
        }
        while (choices_.found.size() < options_.trials.size() &&
               choices_.trials == options_.trials[choices_.found.size()]) {
            note();
        }
    }

    Choices end() {
        if (choices_.trials_to_best == 0) {
            choices_.trials_to_best = options_.trials.back();
        }
        while (choices_.found.size() < options_.trials.size()) {
            note();
        }
        return std::move(choices_);
    }

private:
    struct Best {
        double ratio = 1.0, judged = 1.0;
    };

    static void update(Best &best, double ratio, double judged) {
        if (ratio < best.ratio) {
            best = {ratio, judged};
        }
    }

    void note() {
        choices_.chosen.push_back(chosen_.judged);
        choices_.found.push_back(found_.judged);
    }

    const TuningTask &task_;
    const Replay &replay_;
    const double best_;
    const ReplayOptions &options_;
    Best chosen_, found_{kFailedRatio, kFailedRatio};
    Choices choices_;
};

Choices choices_of(const RecordedTask &recorded, double best, const std::string &strategy,
                   uint64_t seed, const ReplayOptions &options) {
    std::vector<TuningTask> tasks{recorded.task};
    if (!options.knows_suggestions) {
        tasks.front().suggested.clear();
    }
    Replay replay({&recorded, 1});
    Choosing choosing(recorded.task, replay, best, options);
    SessionHooks hooks;
    hooks.measured = [&](const MeasuredBatch &batch, const SessionReport &) {
        for (const Result &result : std::span(batch.results).first(batch.trials)) {
            choosing.take(result);
        }
    };
    const SessionOptions session{.strategy = strategy,
                                 .seed = seed,
                                 .predictor = options.predictor,
                                 .trials = options.trials.back(),
                                 .batch = options.batch};
    run_session(tasks, session, replay, hooks);
    return choosing.end();
}

// By task, by seed.
using AllChoices = std::vector<std::vector<Choices>>;

AllChoices all_choices(const std::string &strategy, const std::vector<RecordedTask> &record,
                       const std::vector<TaskFigures> &tasks, const ReplayOptions &options) {
    AllChoices all;
    for (size_t i = 0; i < record.size(); i++) {
        all.emplace_back();
        for (int seed = 1; seed <= options.seeds; seed++) {
            all.back().push_back(choices_of(record[i], tasks[i].best, strategy,
                                            static_cast<uint64_t>(seed), options));
        }
    }
    return all;
}

StrategyFigures figures_of(const std::string &strategy, const AllChoices &all,
                           const std::vector<TaskFigures> &tasks, size_t budgets) {
    StrategyFigures figures{.name = strategy, .worst = std::vector<double>(budgets, 0.0)};
    std::vector<double> trials_to_best;
    size_t runs = 0;
    for (const std::vector<Choices> &of_task : all) {
        for (const Choices &choices : of_task) {
            figures.trials += static_cast<double>(choices.trials);
            trials_to_best.push_back(static_cast<double>(choices.trials_to_best));
            runs++;
        }
    }
    figures.trials /= static_cast<double>(runs);
    figures.trials_to_best = geometric_mean(trials_to_best);
    for (size_t b = 0; b < budgets; b++) {
        std::vector<double> over_best, found, over_planned;
        for (size_t i = 0; i < all.size(); i++) {
            std::vector<double> of_task;
            for (const Choices &choices : all[i]) {
                over_planned.push_back(choices.chosen[b]);
                of_task.push_back(choices.chosen[b] / tasks[i].best);
                found.push_back(choices.found[b] / tasks[i].best);
            }
            over_best.insert(over_best.end(), of_task.begin(), of_task.end());
            figures.worst[b] = std::max(figures.worst[b], geometric_mean(of_task));
        }
        figures.over_best.push_back(geometric_mean(over_best));
        figures.found_over_best.push_back(geometric_mean(found));
        figures.over_planned.push_back(geometric_mean(over_planned));
    }
    return figures;
}

// `over(seed of the reference, the same seed)`, by task.
GeometricInterval compared(const AllChoices &reference, const AllChoices &own,
                           const std::function<double(const Choices &, const Choices &)> &over) {
    std::vector<std::vector<double>> ratios;
    for (size_t i = 0; i < own.size(); i++) {
        ratios.emplace_back();
        for (size_t seed = 0; seed < own[i].size(); seed++) {
            ratios.back().push_back(over(reference[i][seed], own[i][seed]));
        }
    }
    return geometric_interval(ratios);
}

void compare(StrategyFigures &figures, const AllChoices &reference, const AllChoices &own,
             size_t budgets) {
    for (size_t b = 0; b < budgets; b++) {
        figures.times_as_fast.push_back(
            compared(reference, own, [b](const Choices &other, const Choices &mine) {
                return other.found[b] / mine.found[b];
            }));
    }
    figures.times_as_soon = compared(reference, own, [](const Choices &other, const Choices &mine) {
        return static_cast<double>(other.trials_to_best) / static_cast<double>(mine.trials_to_best);
    });
}

}  // namespace

ReplayFigures replay_figures(const std::vector<RecordedTask> &record,
                             const ReplayOptions &options) {
    if (record.empty() || options.trials.empty() || options.seeds < 1) {
        throw Error("a replay needs a recorded task, a number of trials and a seed");
    }
    ReplayFigures figures{.trials = options.trials,
                          .seeds = options.seeds,
                          .noise = noise_of(record, options.noise_points)};
    std::vector<double> planned;
    for (const RecordedTask &recorded : record) {
        figures.tasks.push_back(figures_of(recorded));
        planned.push_back(1.0 / figures.tasks.back().best);
    }
    figures.planned_over_best = geometric_mean(planned);
    figures.planned_worst = *std::max_element(planned.begin(), planned.end());
    std::vector<std::string> names = options.strategies;
    for (const StrategyKind *kind : all_strategies()) {
        if (options.strategies.empty()) {
            names.push_back(kind->name);
        }
    }
    const size_t budgets = options.trials.size();
    const AllChoices reference = all_choices(options.reference, record, figures.tasks, options);
    for (const std::string &name : names) {
        const AllChoices own = all_choices(name, record, figures.tasks, options);
        figures.strategies.push_back(figures_of(name, own, figures.tasks, budgets));
        compare(figures.strategies.back(), reference, own, budgets);
    }
    return figures;
}

}  // namespace emulsion
