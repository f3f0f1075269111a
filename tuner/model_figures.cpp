#include "tuner/model_figures.h"

#include <algorithm>
#include <random>

#include "tuner/learner.h"

namespace emulsion {

namespace {

struct Ranked {
    double predicted = 0.0;
    double ratio = 0.0;  // of the second sitting
};

// A point of those that were not learned from, which run.
std::vector<Ranked> ranked(const RecordedTask &recorded, const ModelKind &kind, uint64_t seed,
                           size_t samples) {
    std::vector<const std::pair<Result, Result> *> points;
    for (const auto &[text, results] : recorded.points) {
        points.push_back(&results);
    }
    std::mt19937_64 engine(seed);
    std::shuffle(points.begin(), points.end(), engine);
    Learner learner(kind, seed);
    const size_t task = learner.add(recorded.task, {});
    std::vector<Result> known;
    std::vector<std::vector<float>> unknown;
    std::vector<Ranked> all;
    for (size_t i = 0; i < points.size(); i++) {
        const auto &[first, second] = *points[i];
        if (i < samples) {
            known.push_back(first);
        } else if (second.outcome == Outcome::Ok) {
            unknown.push_back(learner.features(task).of(second.nest));
            all.push_back({0.0, second.ratio});
        }
    }
    learner.observe(task, known);
    const std::vector<Prediction> predictions = learner.predict(task, unknown);
    for (size_t i = 0; i < all.size(); i++) {
        all[i].predicted = predictions[i].mean;
    }
    return all;
}

// The share of the fastest `count` that is among those which are thought fastest.
double recall_of(std::vector<Ranked> all, size_t count) {
    const auto tenth = all.begin() + static_cast<std::ptrdiff_t>(count);
    std::stable_sort(all.begin(), all.end(),
                     [](const Ranked &a, const Ranked &b) { return a.ratio < b.ratio; });
    const double slowest = all[count - 1].ratio;
    std::stable_sort(all.begin(), all.end(),
                     [](const Ranked &a, const Ranked &b) { return a.predicted > b.predicted; });
    const auto hits = std::count_if(all.begin(), tenth,
                                    [&](const Ranked &each) { return each.ratio <= slowest; });
    return static_cast<double>(hits) / static_cast<double>(count);
}

double kendall(const std::vector<Ranked> &all) {
    int64_t agree = 0, pairs = 0;
    for (size_t i = 0; i < all.size(); i++) {
        for (size_t j = 0; j < i; j++) {
            const double order =
                (all[i].predicted - all[j].predicted) * (all[j].ratio - all[i].ratio);
            agree += order > 0.0 ? 1 : order < 0.0 ? -1 : 0;
            pairs++;
        }
    }
    return pairs > 0 ? static_cast<double>(agree) / static_cast<double>(pairs) : 0.0;
}

}  // namespace

std::vector<ModelFigures> model_figures(const std::vector<RecordedTask> &record,
                                        const ModelOptions &options) {
    constexpr size_t kTimes = 4, kTenth = 10;
    constexpr double kLeast = 0.01;  // a mean of logarithms needs more than nothing
    std::vector<std::string> names = options.models;
    for (const ModelKind *kind : all_models()) {
        if (options.models.empty()) {
            names.push_back(kind->name);
        }
    }
    std::vector<ModelFigures> all;
    for (const std::string &name : names) {
        ModelFigures figures{.name = name};
        std::vector<std::vector<double>> recalls;
        int runs = 0;
        for (const RecordedTask &recorded : record) {
            if (recorded.points.size() < kTimes * options.samples) {
                continue;
            }
            recalls.emplace_back();
            for (int seed = 1; seed <= options.seeds; seed++) {
                const std::vector<Ranked> points = ranked(
                    recorded, find_model(name), static_cast<uint64_t>(seed), options.samples);
                const size_t count = std::max<size_t>(points.size() / kTenth, 1);
                const double chance =
                    static_cast<double>(count) / static_cast<double>(points.size());
                recalls.back().push_back(std::max(recall_of(points, count), kLeast) / chance);
                figures.rank_correlation += kendall(points);
                runs++;
            }
        }
        figures.recall = geometric_interval(recalls);
        figures.rank_correlation /= std::max(runs, 1);
        all.push_back(std::move(figures));
    }
    return all;
}

}  // namespace emulsion
