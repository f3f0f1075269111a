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

TEST(Statistics, SpearmanIsTheCorrelationOfRanks) {
    EXPECT_DOUBLE_EQ(spearman({1, 2, 3, 4}, {1, 10, 100, 1000}), 1.0);
    EXPECT_DOUBLE_EQ(spearman({1, 2, 3, 4}, {4, 3, 2, 1}), -1.0);
    EXPECT_DOUBLE_EQ(spearman({1, 2, 3}, {5, 5, 5}), 0.0);
    EXPECT_NEAR(spearman({1, 2, 2, 4}, {1, 3, 2, 4}), 0.9487, 1e-4);
}

TEST(Statistics, TheIntervalOfARatioHasTheRatioInIt) {
    std::vector<double> fast, slow;
    for (int i = 0; i < 50; i++) {
        fast.push_back(1.0 + 0.01 * (i % 7));
        slow.push_back(2.0 + 0.01 * (i % 5));
    }
    const RatioInterval interval = ratio_of_medians(slow, fast);
    EXPECT_NEAR(interval.ratio, 2.02 / 1.03, 1e-12);
    EXPECT_LE(interval.low, interval.ratio);
    EXPECT_GE(interval.high, interval.ratio);
    EXPECT_LT(interval.high - interval.low, 0.1);
    EXPECT_EQ(ratio_of_medians({}, {}).ratio, 0.0);
}

TEST(Statistics, TheIntervalOfARatioKnowsThatClustersDiffer) {
    std::vector<double> fast, slow;
    std::vector<size_t> clusters;
    for (int cluster = 0; cluster < 10; cluster++) {
        clusters.push_back(fast.size());
        for (int i = 0; i < 50; i++) {
            fast.push_back(1.0 + 0.001 * (i % 7));
            slow.push_back((cluster % 2 == 0 ? 1.9 : 2.1) + 0.001 * (i % 5));
        }
    }
    const RatioInterval alike = ratio_of_medians(slow, fast);
    const RatioInterval clustered = ratio_of_medians(slow, fast, clusters);
    EXPECT_EQ(alike.ratio, clustered.ratio);
    EXPECT_LT(clustered.low, 1.91);
    EXPECT_GT(clustered.high, 2.08);
}

}  // namespace
}  // namespace emulsion
