#include "tuner/grid.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/tuner/toy_task.h"

namespace emulsion {

namespace {

TEST(Grids, TryAllOfFewValuesAndSomeOfMany) {
    EXPECT_EQ((std::vector<int64_t>{-1, 0, 1, 2}), tried_values({-1, 2}, {}));
    EXPECT_EQ((std::vector<int64_t>{1, 2, 4, 8, 16}), tried_values({1, 16, true}, {}));
    EXPECT_EQ((std::vector<int64_t>{0, 1, 2, 3, 4, 6, 8, 12, 16, 21, 24, 32, 40}),
              tried_values({0, 40}, {21, 50}));
    EXPECT_EQ((std::vector<int64_t>{5}), tried_values({5, 5}, {1}));
    EXPECT_EQ(31u + 29u, tried_values({1, int64_t{1} << 30}, {}).size());
}

TEST(Grids, HaveAllValidPointsOnce) {
    const TuningTask task = toy_task();
    const Grid grid(task);
    GridWalk walk(grid);
    KnownPoints known;
    for (std::vector<Nest> some = walk.next(7); !some.empty(); some = walk.next(7)) {
        EXPECT_LE(some.size(), 7u);
        for (const Nest &nest : some) {
            EXPECT_EQ("", task.space.is_valid(nest));
            EXPECT_TRUE(known.add(nest)) << point_text(nest);
        }
    }
    // Rows 1 2 3 4 6 8 12 16 24 32 with as many columns as 64 elements have; two flags, an axis or none.
    EXPECT_EQ((7u + 6 + 5 + 5 + 4 + 4 + 3 + 3 + 2 + 2) * 2 * 4, known.size());
    EXPECT_TRUE(known.has(task.planned));
    EXPECT_EQ(10 * 7 * 2 * 4, grid.size());
}

TEST(Grids, AreCountedWithoutOverflow) {
    TuningTask task = toy_task();
    for (int i = 0; i < 40; i++) {
        task.space.parameters.push_back(
            {"more" + std::to_string(i), NestType::Count, "", {1, int64_t{1} << 40}, 1});
    }
    EXPECT_EQ(int64_t{1} << 62, Grid(task).size());
}

TEST(Grids, WithoutValidPointsEndTheWalk) {
    TuningTask task = toy_task();
    task.space.constraints.push_back(
        {NestConstraint::Rule::ProductAtLeast, {"rows"}, 1000, "has too few rows"});
    EXPECT_TRUE(GridWalk(Grid(task)).next(5).empty());
}

// Far more combinations than anybody can look at begin with values that break a constraint.
TEST(Grids, LeaveOutAllThatBeginsWithABrokenConstraint) {
    TuningTask task = toy_task();
    for (int i = 0; i < 30; i++) {
        task.space.parameters.push_back(
            {"more" + std::to_string(i), NestType::Count, "", {1, 4}, 1});
    }
    task.space.constraints.push_back(
        {NestConstraint::Rule::ProductAtLeast, {"rows", "columns"}, 64, "has too few elements"});
    const std::vector<Nest> points = GridWalk(Grid(task)).next(10);
    ASSERT_EQ(10u, points.size());
    for (const Nest &nest : points) {
        EXPECT_EQ("", task.space.is_valid(nest));
    }
}

TEST(Grids, HaveValidNeighboursOneStepAway) {
    const TuningTask task = toy_task();
    const Grid grid(task);
    std::vector<Nest> around = grid.neighbours(task.planned);
    for (const Nest &nest : grid.exchanges(task.planned)) {
        around.push_back(nest);
    }
    const auto has = [&](int64_t rows, int64_t columns, int64_t unrolled) {
        const Nest wanted{"toy", {{"rows", rows}, {"columns", columns}, {"unrolled", unrolled}}};
        return std::count(around.begin(), around.end(), wanted);
    };
    EXPECT_EQ(1, has(2, 8, 0));
    EXPECT_EQ(1, has(1, 16, 0));
    EXPECT_EQ(1, has(1, 4, 0));
    EXPECT_EQ(1, has(1, 8, 1));
    EXPECT_EQ(1, has(2, 4, 0));   // one grows, one shrinks
    EXPECT_EQ(0, has(2, 16, 0));  // both grow
    EXPECT_EQ(0, has(1, 8, 0));   // itself
    for (const Nest &nest : around) {
        EXPECT_EQ("", task.space.is_valid(nest));
    }
}

TEST(Grids, HaveTheValuesThatAreSuggested) {
    TuningTask task = toy_task();
    task.suggested.front().parameters["rows"] = 29;
    const std::vector<int64_t> rows = Grid(task).values().front();
    EXPECT_EQ(1, std::count(rows.begin(), rows.end(), 29));
}

TEST(Grids, DrawNothingElseThanTheirPoints) {
    const TuningTask task = toy_task();
    const Grid grid(task);
    KnownPoints all, drawn;
    for (const Nest &nest : GridWalk(grid).next(100'000)) {
        all.add(nest);
    }
    std::mt19937_64 engine(1);
    while (const auto nest = grid.random_point(engine, drawn)) {
        EXPECT_TRUE(all.has(*nest)) << point_text(*nest);
    }
    EXPECT_LT(all.size() / 2, drawn.size());
}

TEST(Grids, AreNarrowedToSoManyPointsAroundThePlannedOne) {
    for (const size_t most : {100, 30, 7, 1}) {
        const TuningTask task = narrowed(toy_task(), most);
        const Grid grid(task);
        const std::vector<Nest> points = GridWalk(grid).next(1000);
        EXPECT_GE(most, points.size());
        EXPECT_LE(most / 3, points.size());
        EXPECT_EQ(1, std::count(points.begin(), points.end(), task.planned));
        for (const Nest &nest : task.suggested) {
            EXPECT_EQ(1, std::count(points.begin(), points.end(), nest)) << point_text(nest);
        }
    }
}

}  // namespace

}  // namespace emulsion
