#include "tuner/multitask_figures.h"

#include <gtest/gtest.h>

#include "fusion/error.h"
#include "tests/tuner/toy_task.h"
#include "tuner/features.h"

namespace emulsion {

namespace {

// All points of such tasks.
std::vector<StoredSamples> stored(const std::vector<std::string> &problems) {
    std::vector<StoredSamples> all;
    for (const std::string &problem : problems) {
        const TuningTask task = toy_task(problem);
        const PointFeatures features(task);
        StoredSamples samples{.problem = problem, .label = problem, .names = features.names()};
        for (const auto &[text, results] : toy_record(task).points) {
            samples.features.push_back(features.of(results.first.nest));
            samples.results.push_back(results.first);
        }
        all.push_back(std::move(samples));
    }
    return all;
}

TEST(MultitaskFigures, SayWhatTasksOfOneKindTeachEachOther) {
    const MultitaskOptions options{.trials = 12, .seeds = 4, .fewest = 10, .jobs = 2};
    const MultitaskFigures figures = multitask_figures(stored({"p1", "p2"}), options);
    ASSERT_EQ(2u, figures.tasks.size());
    for (const MultitaskTask &task : figures.tasks) {
        EXPECT_EQ("p1", task.kind);
        ASSERT_EQ(options.models.size(), task.over_best.size());
        for (const double ratio : task.over_best) {
            EXPECT_LE(1.0, ratio);
        }
        EXPECT_LT(task.best, task.median);
        // Equal tasks: what the other has measured tells where this one is fast.
        EXPECT_LT(task.transferred, task.median / task.best);
        EXPECT_LT(task.over_best[0], task.over_best[3]) << "drawn at random";
    }
    EXPECT_EQ(1.0, figures.times_as_fast[options.reference].mean);
    EXPECT_EQ(1.0, figures.wins_or_ties[options.reference]);
}

TEST(MultitaskFigures, AreTheSameHoweverManySearchesAreMadeAtATime) {
    MultitaskOptions options{
        .models = {"coregional", ""}, .reference = 1, .trials = 6, .seeds = 2, .fewest = 10};
    const std::vector<StoredSamples> tasks = stored({"p1", "p2", "p3"});
    const MultitaskFigures alone = multitask_figures(tasks, options);
    options.jobs = 3;
    const MultitaskFigures beside = multitask_figures(tasks, options);
    for (size_t t = 0; t < tasks.size(); t++) {
        EXPECT_EQ(alone.tasks[t].over_best, beside.tasks[t].over_best);
    }
}

TEST(MultitaskFigures, FindTheBestWhereEverythingIsTried) {
    std::vector<StoredSamples> tasks = stored({"p1", "p2"});
    constexpr size_t kPoints = 20;
    const MultitaskOptions options{
        .models = {"gaussian", ""}, .trials = 2 * kPoints, .seeds = 1, .fewest = 10};
    for (StoredSamples &task : tasks) {
        task.features.resize(kPoints);
        task.results.resize(kPoints);
    }
    for (const MultitaskTask &task : multitask_figures(tasks, options).tasks) {
        EXPECT_EQ(std::vector<double>(2, 1.0), task.over_best);
    }
}

TEST(MultitaskFigures, NeedSeveralTasksOfAKindWithEnoughPoints) {
    const MultitaskOptions options{.seeds = 1, .fewest = 10};
    EXPECT_THROW(multitask_figures(stored({"p1"}), options), Error);
    std::vector<StoredSamples> tasks = stored({"p1", "p2"});
    tasks[1].results.resize(5);
    tasks[1].features.resize(5);
    EXPECT_THROW(multitask_figures(tasks, options), Error);
}

}  // namespace

}  // namespace emulsion
