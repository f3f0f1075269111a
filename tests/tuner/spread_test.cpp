#include "tuner/spread.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/tuner/toy_task.h"
#include "tuner/grid.h"

namespace emulsion {

namespace {

TEST(Spread, HasSoManyPointsAndThePlannedOneAmongThem) {
    for (const size_t most : {100, 30, 7, 1}) {
        const TuningTask task = spread(toy_task(), most);
        const std::vector<Nest> points = GridWalk(Grid(task)).next(1000);
        EXPECT_GE(most, points.size());
        EXPECT_LE(most / 3, points.size());
        EXPECT_EQ(1, std::count(points.begin(), points.end(), task.planned));
        const Grid grid(task);
        EXPECT_TRUE(grid.has(task.planned));
        for (const Nest &nest : task.suggested) {
            EXPECT_EQ(1, std::count(points.begin(), points.end(), nest)) << point_text(nest);
        }
    }
}

TEST(Spread, ReachesToTheEndsOfTheSpace) {
    const TuningTask whole = toy_task();
    const TuningTask task = spread(whole, 60);
    const std::vector<int64_t> rows = Grid(task).values().front();
    EXPECT_GE(2, rows.front());
    EXPECT_LE(24, rows.back());
}

TEST(Spread, HasSevenValuesAtMostAndNoOtherAxes) {
    const TuningTask task = toy_task();
    const std::vector<std::vector<int64_t>> all = Grid(task).values();
    const std::vector<std::vector<int64_t>> values = Grid(spread(task, 1'000'000)).values();
    EXPECT_EQ(7u, values[0].size());
    EXPECT_EQ(1, values[0].front());
    EXPECT_EQ(32, values[0].back());
    EXPECT_EQ(all[1], values[1]);
    EXPECT_EQ(all[2], values[2]);
    EXPECT_EQ(std::vector<int64_t>{Grid::kAbsent}, values[3]);
}

TEST(Spread, HasMostValuesOfWhatMattersMost) {
    TuningTask task = toy_task();
    task.suggested.clear();
    task.facts = toy_facts(task);
    const std::vector<std::vector<int64_t>> values = Grid(spread(task, 30)).values();
    EXPECT_LE(5u, values[0].size()) << "rows: from 1 to 32";
    EXPECT_EQ(1u, values[3].size()) << "an axis";
}

}  // namespace

}  // namespace emulsion
