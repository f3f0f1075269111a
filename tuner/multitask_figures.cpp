#include "tuner/multitask_figures.h"

#include <algorithm>
#include <map>
#include <random>

#include "fusion/error.h"
#include "fusion/geometric_mean.h"
#include "tuner/session.h"

namespace emulsion {

namespace {

// Tasks of one template.
using Kind = std::vector<const RecordedTask *>;

std::vector<Kind> kinds_of(const std::vector<RecordedTask> &record) {
    std::map<std::string, Kind> by_template;
    for (const RecordedTask &task : record) {
        by_template[task.task.space.template_name].push_back(&task);
    }
    std::vector<Kind> kinds;
    for (auto &[name, tasks] : by_template) {
        if (tasks.size() < 2) {
            throw Error("the record has one task of '" + name +
                        "' only; several are searched together");
        }
        kinds.push_back(std::move(tasks));
    }
    return kinds;
}

// As slow as that is what has found nothing that runs.
constexpr double kNothing = 100.0;

// The fastest one so far by the first sitting, and what the second says of it.
struct Found {
    double ratio = kNothing, judged = kNothing;

    void take(const Replay &replay, const TuningTask &task, const Result &result) {
        if (result.outcome == Outcome::Ok && result.ratio < ratio) {
            *this = {result.ratio, replay.judged(task, result.nest)};
        }
    }
};

// Of every task of a kind the ratio of what was found.
std::vector<double> found_in_session(const Kind &kind, const MultitaskSearch &search, uint64_t seed,
                                     int64_t trials) {
    std::vector<RecordedTask> record;
    std::vector<TuningTask> tasks;
    for (const RecordedTask *task : kind) {
        record.push_back(*task);
        tasks.push_back(task->task);
    }
    Replay replay(record);
    std::vector<Found> found(tasks.size());
    SessionHooks hooks;
    hooks.measured = [&](const MeasuredBatch &batch, const SessionReport &) {
        for (size_t i = 0; i < batch.trials; i++) {
            found[batch.task].take(replay, tasks[batch.task], batch.results[i]);
        }
    };
    run_session(tasks,
                {.strategy = search.strategy,
                 .model = search.model,
                 .seed = seed,
                 .trials = trials * std::ssize(tasks),
                 .batch = 1},
                replay, hooks);
    std::vector<double> ratios;
    for (const Found &each : found) {
        ratios.push_back(each.judged);
    }
    return ratios;
}

MultitaskTask described(const RecordedTask &recorded) {
    MultitaskTask task{.label = recorded.task.label,
                       .template_name = recorded.task.space.template_name};
    const Replay replay({&recorded, 1});
    Found best;
    std::vector<double> all;
    for (const auto &[text, results] : recorded.points) {
        if (results.second.outcome == Outcome::Ok) {
            best.take(replay, recorded.task, results.first);
            all.push_back(results.second.ratio);
        }
    }
    if (all.empty()) {
        throw Error("nothing of task '" + task.label + "' runs");
    }
    std::sort(all.begin(), all.end());
    task.best = best.judged;
    task.median = all[all.size() / 2];
    task.planned = 1.0 / best.judged;
    return task;
}

// So many points of a task, drawn at random.
std::vector<Result> drawn(const RecordedTask &recorded, size_t count, std::mt19937_64 &engine) {
    std::vector<Result> all;
    for (const auto &[text, results] : recorded.points) {
        all.push_back(results.first);
    }
    std::shuffle(all.begin(), all.end(), engine);
    all.resize(std::min(all.size(), count));
    return all;
}

// What is picked for a task of a kind by what the others have measured: its ratio in the second sitting.
double transferred(const Kind &kind, size_t left_out, uint64_t seed, size_t trials) {
    std::mt19937_64 engine(seed);
    Learner learner(find_model("coregional"), seed);
    for (size_t i = 0; i < kind.size(); i++) {
        if (i != left_out) {
            const size_t number = learner.add(kind[i]->task, {.deviation = true});
            learner.observe(number, drawn(*kind[i], trials, engine));
        }
    }
    learner.predict(0, {});  // now it has to be fitted
    const PointFeatures features(kind[left_out]->task);
    std::vector<std::vector<float>> points;
    std::vector<double> judged;
    for (const auto &[text, results] : kind[left_out]->points) {
        points.push_back(features.of(results.first.nest));
        judged.push_back(results.second.outcome == Outcome::Ok ? results.second.ratio : kNothing);
    }
    const std::vector<Prediction> predictions = learner.model().predict({features.names(), points});
    const auto best =
        std::max_element(predictions.begin(), predictions.end(),
                         [](const Prediction &a, const Prediction &b) { return a.mean < b.mean; });
    return judged[static_cast<size_t>(best - predictions.begin())];
}

}  // namespace

MultitaskFigures multitask_figures(const std::vector<RecordedTask> &record,
                                   const MultitaskOptions &options) {
    MultitaskFigures figures;
    // By search, by task, by seed.
    std::vector<std::vector<std::vector<double>>> found(options.searches.size());
    for (const Kind &kind : kinds_of(record)) {
        const size_t before = figures.tasks.size();
        for (size_t i = 0; i < kind.size(); i++) {
            MultitaskTask task = described(*kind[i]);
            std::vector<double> picked;
            for (int seed = 1; seed <= options.seeds; seed++) {
                picked.push_back(transferred(kind, i, static_cast<uint64_t>(seed),
                                             static_cast<size_t>(options.trials)) /
                                 task.best);
            }
            task.transferred = geometric_mean(picked);
            figures.tasks.push_back(std::move(task));
        }
        for (size_t s = 0; s < options.searches.size(); s++) {
            found[s].resize(before + kind.size());
            for (int seed = 1; seed <= options.seeds; seed++) {
                const std::vector<double> ratios = found_in_session(
                    kind, options.searches[s], static_cast<uint64_t>(seed), options.trials);
                for (size_t i = 0; i < ratios.size(); i++) {
                    found[s][before + i].push_back(ratios[i]);
                }
            }
        }
    }
    constexpr double kTie = 1.02;
    for (size_t s = 0; s < options.searches.size(); s++) {
        std::vector<std::vector<double>> over;  // the reference's time over its own
        int good = 0;
        for (size_t i = 0; i < figures.tasks.size(); i++) {
            const std::vector<double> &own = found[s][i], &other = found[options.reference][i];
            over.emplace_back();
            for (size_t seed = 0; seed < own.size(); seed++) {
                over.back().push_back(other[seed] / own[seed]);
            }
            figures.tasks[i].over_best.push_back(geometric_mean(own) / figures.tasks[i].best);
            good += geometric_mean(over.back()) * kTie >= 1.0 ? 1 : 0;
        }
        figures.times_as_fast.push_back(geometric_interval(over));
        figures.wins_or_ties.push_back(static_cast<double>(good) /
                                       static_cast<double>(figures.tasks.size()));
    }
    return figures;
}

}  // namespace emulsion
