#include "tuner/points.h"

#include <gtest/gtest.h>

#include "fusion/error.h"
#include "tests/tuner/toy_task.h"

namespace emulsion {

namespace {

TEST(Points, HaveTextsThatAreReadBack) {
    const Nest nest{"tiles", {{"block0", int64_t{1} << 40}, {"slide_axis", -1}}};
    EXPECT_EQ(R"({"parameters":{"block0":1099511627776,"slide_axis":-1},"template":"tiles"})",
              point_text(nest));
    EXPECT_EQ(nest, point_from(point_text(nest)));
    for (const char *text :
         {"", "[]", R"({"template":"tiles"})", R"({"template":1,"parameters":{}})",
          R"({"template":"a","parameters":[]})", R"({"template":"a","parameters":{"b":1.5}})",
          R"({"template":"a","parameters":{"b":9223372036854775808}})",
          R"({"template":"a","parameters":{},"c":1})"}) {
        EXPECT_THROW(point_from(text), Error) << text;
    }
}

TEST(Points, TryAllOfFewValuesAndSomeOfMany) {
    EXPECT_EQ((std::vector<int64_t>{-1, 0, 1, 2}), tried_values({-1, 2}, 0));
    EXPECT_EQ((std::vector<int64_t>{1, 2, 4, 8, 16}), tried_values({1, 16, true}, 8));
    EXPECT_EQ((std::vector<int64_t>{0, 1, 2, 3, 4, 6, 8, 12, 16, 21, 24, 32, 40}),
              tried_values({0, 40}, 21));
    EXPECT_EQ((std::vector<int64_t>{5}), tried_values({5, 5}, 1));
    EXPECT_EQ(31u + 29u, tried_values({1, int64_t{1} << 30}, 1).size());
}

TEST(Points, OfAGridAreAllValidOnesOnce) {
    const TuningTask task = toy_task();
    GridWalk walk(task.space, task.planned);
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
    EXPECT_EQ(10 * 7 * 2 * 4, grid_size(task.space, task.planned));
}

TEST(Points, OfAHugeGridAreCountedWithoutOverflow) {
    TuningTask task = toy_task();
    for (int i = 0; i < 40; i++) {
        task.space.parameters.push_back(
            {"more" + std::to_string(i), NestType::Count, "", {1, int64_t{1} << 40}, 1});
    }
    EXPECT_EQ(int64_t{1} << 62, grid_size(task.space, task.space.preferred()));
}

TEST(Points, OfASpaceWithoutValidOnesEndTheWalk) {
    TuningTask task = toy_task();
    task.space.constraints.push_back(
        {NestConstraint::Rule::ProductAtLeast, {"rows"}, 1000, "has too few rows"});
    EXPECT_TRUE(GridWalk(task.space, task.planned).next(5).empty());
}

TEST(Points, HaveValidNeighboursOneStepAway) {
    const TuningTask task = toy_task();
    const std::vector<Nest> around = neighbours(task.space, task.planned, task.planned);
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

}  // namespace

}  // namespace emulsion
