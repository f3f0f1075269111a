#include "tuner/replay_figures.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "fusion/error.h"
#include "tests/tuner/toy_task.h"
#include "tuner/record.h"

namespace emulsion {

namespace {

std::vector<RecordedTask> two_records() {
    return {toy_record(toy_task("p1")), toy_record(toy_task("p2"))};
}

TEST(ReplayFigures, SayWhatThereIsToFind) {
    const ReplayFigures figures = replay_figures(two_records(), {.seeds = 1});
    ASSERT_EQ(2u, figures.tasks.size());
    const TaskFigures &task = figures.tasks.front();
    const Nest fastest{"toy", {{"rows", 4}, {"columns", 16}, {"unrolled", 1}}};
    EXPECT_NEAR(1.01 * toy_ratio(toy_task(), fastest), task.best, 1e-9);
    EXPECT_LT(task.best, task.median);
    EXPECT_NEAR(0.01, task.noise_median, 1e-9);
    EXPECT_LT(60.0, task.trials_per_minute);  // half a second each, 1.5 where it crashes
    EXPECT_EQ(40u, task.failed);  // 3 rows, 5 numbers of columns, 2 flags, an axis or none
}

TEST(ReplayFigures, SayHowFarSittingsAreApart) {
    std::vector<RecordedTask> record = two_records();
    record.back().planned_ms = 30.0;
    ReplayFigures figures = replay_figures(record, {.strategies = {"bolt"}, .noise_points = 20});
    EXPECT_EQ(20u, figures.noise.points);
    EXPECT_NEAR(0.01, figures.noise.median, 1e-9);
    EXPECT_NEAR(0.01, figures.noise.p95, 1e-9);
    record.front().planned_ms = 0.019;
    figures = replay_figures(record, {.strategies = {"bolt"}});
    EXPECT_EQ(0u, figures.noise.points) << "of groups that take too short and too long";
}

TEST(ReplayFigures, JudgeByTheSecondSitting) {
    const ReplayFigures figures =
        replay_figures(two_records(), {.strategies = {"exhaustive"}, .trials = {1, 1000}});
    ASSERT_EQ(1u, figures.strategies.size());
    const StrategyFigures &all = figures.strategies.front();
    EXPECT_DOUBLE_EQ(1.0, all.over_best.back());
    EXPECT_DOUBLE_EQ(figures.tasks.front().best, all.over_planned.back());
    EXPECT_LT(1.0, all.over_best.front());
    EXPECT_LT(100.0, all.trials);
}

TEST(ReplayFigures, OfBoltTakeFewTrials) {
    const ReplayFigures figures = replay_figures(two_records(), {.strategies = {"bolt"}});
    EXPECT_GE(32.0, figures.strategies.front().trials);
    EXPECT_DOUBLE_EQ(1.0, figures.strategies.front().over_best.back());
}

// Of measurements: what Bolt chooses with at most 32 trials is at most 5 % from the best, in the geometric mean.
TEST(ReplayFigures, OfRecordsAreAsGoodAsBoltsPaperSays) {
    std::vector<RecordedTask> record;
    for (const auto &entry :
         std::filesystem::directory_iterator(EMULSION_SOURCE_DIR "/tests/tuner/records")) {
        if (entry.path().extension() == ".gz") {
            for (RecordedTask &task : read_record(entry.path().string())) {
                record.push_back(std::move(task));
            }
        }
    }
    EXPECT_LE(20u, record.size());
    const ReplayFigures figures =
        replay_figures(record, {.strategies = {"bolt"}, .trials = {32}, .seeds = 1});
    EXPECT_GE(32.0, figures.strategies.front().trials);
    EXPECT_GE(1.05, figures.strategies.front().over_best.front());
}

TEST(ReplayFigures, RefuseNothing) {
    EXPECT_THROW(replay_figures({}, {}), Error);
    EXPECT_THROW(replay_figures(two_records(), {.strategies = {"annealing"}}), Error);
}

}  // namespace

}  // namespace emulsion
