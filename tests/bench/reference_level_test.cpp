#include "bench/tuning/reference_level.h"

#include <gtest/gtest.h>

namespace emulsion {
namespace {

void add_window(ReferenceLevel &level, const ReferenceTimes &times) {
    for (size_t i = 0; i < ReferenceLevel::kWindow; i++) {
        level.add(times);
    }
}

TEST(ReferenceLevels, AreTheLowestThatLast) {
    ReferenceLevel level({});
    add_window(level, {.exchange = 0.05, .compute = 0.02});
    EXPECT_EQ(0.05, level.level().exchange);
    level.add({.exchange = 0.001, .compute = 0.001});  // a single one counts for nothing
    add_window(level, {.exchange = 0.01, .compute = 0.02});
    EXPECT_EQ(0.01, level.level().exchange);
    EXPECT_EQ(0.02, level.level().compute);
    add_window(level, {.exchange = 0.09, .compute = 0.09});
    EXPECT_EQ(0.01, level.level().exchange);
    EXPECT_EQ(0.02, level.level().compute);
}

TEST(ReferenceLevels, TellDisturbedTimes) {
    ReferenceLevel level({.exchange = 0.01, .compute = 0.02});
    const auto is_quiet = [&](double exchange, double compute) {
        level.add({.exchange = exchange, .compute = compute});
        return level.is_quiet();
    };
    EXPECT_TRUE(is_quiet(0.02, 0.02));
    EXPECT_FALSE(is_quiet(0.04, 0.02));   // the threads share no cache
    EXPECT_FALSE(is_quiet(0.005, 0.03));  // the threads share a core
    EXPECT_TRUE(is_quiet(0.005, 0.0201));
}

TEST(ReferenceLevels, AreQuietBeforeAnythingIsKnown) {
    ReferenceLevel level({});
    EXPECT_TRUE(level.is_quiet());
    level.add({.exchange = 1.0, .compute = 1.0});
    EXPECT_TRUE(level.is_quiet());
}

}  // namespace
}  // namespace emulsion
