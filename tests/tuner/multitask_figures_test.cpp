#include "tuner/multitask_figures.h"

#include <gtest/gtest.h>

#include "fusion/error.h"
#include "tests/tuner/toy_task.h"

namespace emulsion {

namespace {

std::vector<RecordedTask> record_of(const std::vector<std::string> &problems) {
    std::vector<RecordedTask> record;
    for (const std::string &problem : problems) {
        record.push_back(toy_record(toy_task(problem)));
    }
    return record;
}

TEST(MultitaskFigures, SayWhatTasksOfOneKindTeachEachOther) {
    const MultitaskOptions options{.trials = 12, .seeds = 2};
    const MultitaskFigures figures = multitask_figures(record_of({"p1", "p2"}), options);
    ASSERT_EQ(2u, figures.tasks.size());
    for (const MultitaskTask &task : figures.tasks) {
        ASSERT_EQ(options.searches.size(), task.over_best.size());
        for (const double ratio : task.over_best) {
            EXPECT_LE(1.0, ratio);
        }
        EXPECT_LT(task.best, task.median);
        // Equal tasks: what the other has measured tells where this one is fast.
        EXPECT_LT(task.transferred, task.planned);
        EXPECT_LT(task.over_best[0], task.over_best[4]) << "random";
    }
    EXPECT_EQ(1.0, figures.times_as_fast[options.reference].mean);
    EXPECT_EQ(1.0, figures.wins_or_ties[options.reference]);
}

TEST(MultitaskFigures, AreTheSameOfTheSameRecord) {
    const MultitaskOptions options{
        .searches = {{"gptune", ""}, {"random", ""}}, .reference = 1, .trials = 6, .seeds = 1};
    const auto record = record_of({"p1", "p2"});
    EXPECT_EQ(multitask_figures(record, options).tasks[0].over_best,
              multitask_figures(record, options).tasks[0].over_best);
}

TEST(MultitaskFigures, NeedSeveralTasksOfAKind) {
    EXPECT_THROW(multitask_figures(record_of({"p1"}), {}), Error);
}

}  // namespace

}  // namespace emulsion
