#include "bench/statistics.h"

#include <gtest/gtest.h>

namespace emulsion {
namespace {

TEST(Statistics, MedianP90AndMinAreOrderStatistics) {
    const Summary ten = summarise({10, 9, 8, 7, 6, 5, 4, 3, 2, 1});
    EXPECT_EQ(ten.median, 5.5);
    EXPECT_EQ(ten.p90, 9);
    EXPECT_EQ(ten.min, 1);
    const Summary three = summarise({3, 1, 2});
    EXPECT_EQ(three.median, 2);
    EXPECT_EQ(three.p90, 3);
}

TEST(Statistics, SmallSamplesAreNoSpecialCase) {
    const Summary one = summarise({7});
    EXPECT_EQ(one.median, 7);
    EXPECT_EQ(one.p90, 7);
    EXPECT_EQ(one.min, 7);
    EXPECT_EQ(summarise({}).median, 0);
}

}  // namespace
}  // namespace emulsion
