#include "tuner/geometric_interval.h"

#include <gtest/gtest.h>

#include <cmath>

namespace emulsion {

namespace {

TEST(GeometricIntervals, HoldTheMean) {
    const GeometricInterval interval = geometric_interval({{2.0, 8.0}, {1.0}, {0.5}, {16.0}});
    EXPECT_NEAR(std::sqrt(std::sqrt(4.0 * 1.0 * 0.5 * 16.0)), interval.mean, 1e-9);
    EXPECT_LT(interval.low, interval.mean);
    EXPECT_GT(interval.high, interval.mean);
    EXPECT_LE(0.5, interval.low);
    EXPECT_GE(16.0, interval.high);
}

TEST(GeometricIntervals, OfOneGroupAreAPoint) {
    const GeometricInterval interval = geometric_interval({{2.0, 8.0}});
    EXPECT_DOUBLE_EQ(4.0, interval.low);
    EXPECT_DOUBLE_EQ(4.0, interval.high);
    EXPECT_EQ(1.0, geometric_interval({}).mean);
}

}  // namespace

}  // namespace emulsion
