#include "tuner/grid_points.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/tuner/toy_task.h"
#include "tuner/record.h"

namespace emulsion {

namespace {

// A random combination of values is a point exactly where its nest is.
void expect_same(const TuningTask &task, int draws, uint64_t seed) {
    const GridPoints points(task);
    std::mt19937_64 engine(seed);
    int valid = 0;
    for (int i = 0; i < draws; i++) {
        GridPoint point;
        for (size_t p = 0; p < points.parameters(); p++) {
            point.push_back(static_cast<uint16_t>(engine() % points.values(p)));
        }
        const Nest nest = points.nest(point);
        EXPECT_EQ(task.space.is_valid(nest).empty(), points.is_valid(point))
            << point_text(nest) << " seed " << seed;
        valid += points.is_valid(point) ? 1 : 0;
        EXPECT_EQ(point, points.point(nest));
    }
    const auto planned = points.point(task.planned);
    ASSERT_TRUE(planned);
    EXPECT_TRUE(points.is_valid(*planned));
    EXPECT_EQ(task.planned, points.nest(*planned));
}

TEST(GridPoints, AreValidWhereTheirNestsAre) {
    TuningTask task = toy_task();
    expect_same(task, 2000, 1);
    task.space.constraints.push_back({NestConstraint::Rule::ProductDivides,
                                      {"rows", "columns"},
                                      48,
                                      "does not divide",
                                      std::pair{std::string("unrolled"), int64_t{1}}});
    task.space.constraints.push_back({NestConstraint::Rule::ProductAtMost,
                                      {},
                                      0,
                                      "has axis 1",
                                      std::pair{std::string("axis"), int64_t{1}}});
    expect_same(task, 2000, 2);
}

TEST(GridPoints, OfRecordedSpacesAreValidWhereTheirNestsAre) {
    for (const RecordedTask &recorded :
         read_record(EMULSION_SOURCE_DIR "/tests/tuner/records/mobilenet_v1.jsonl.gz")) {
        expect_same(recorded.task, 300, 3);
    }
}

TEST(GridPoints, AreNoneWhereTheGridLacksAValue) {
    const TuningTask task = toy_task();
    const GridPoints points(task);
    EXPECT_FALSE(points.point({"toy", {{"rows", 31}, {"columns", 8}, {"unrolled", 0}}}));
    EXPECT_FALSE(points.point({"other", task.planned.parameters}));
}

}  // namespace

}  // namespace emulsion
