#include "bench/statistics.h"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

namespace emulsion {
namespace {

TEST(Statistics, MedianTenthsAndMinAreOrderStatistics) {
    const Summary ten = summarise({10, 9, 8, 7, 6, 5, 4, 3, 2, 1});
    EXPECT_EQ(ten.median, 5.5);
    EXPECT_EQ(ten.p10, 1);
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

TEST(Statistics, SummariesOfAnySizeAreThoseOfTheSortedSample) {
    std::mt19937 random(3);
    for (size_t count = 1; count < 60; count++) {
        std::vector<double> sample;
        for (size_t i = 0; i < count; i++) {
            sample.push_back(static_cast<double>(random() % 40));
        }
        const Summary summary = summarise(sample);
        std::sort(sample.begin(), sample.end());
        EXPECT_EQ(summary.median, (sample[(count - 1) / 2] + sample[count / 2]) / 2) << count;
        EXPECT_EQ(summary.p10, sample[(count + 9) / 10 - 1]) << count;
        EXPECT_EQ(summary.p90, sample[(count * 9 + 9) / 10 - 1]) << count;
        EXPECT_EQ(summary.min, sample[0]) << count;
    }
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

TEST(Statistics, TheWorkForAnIntervalDoesNotGrowWithTheSample) {
    constexpr size_t kSize = 300000, kClusters = 10;
    std::mt19937 random(5);
    std::vector<double> fast, slow;
    std::vector<size_t> clusters;
    for (size_t i = 0; i < kSize; i++) {
        if (i % (kSize / kClusters) == 0) {
            clusters.push_back(i);
        }
        fast.push_back(1.0 + 0.0001 * static_cast<double>(random() % 1000));
        slow.push_back(2.0 + 0.0001 * static_cast<double>(random() % 1000));
    }
    const RatioInterval interval = ratio_of_medians(slow, fast, clusters);
    EXPECT_LE(interval.draws, 1000 * (kMostResampledPairs + kClusters));
    EXPECT_LT(interval.low, interval.ratio);
    EXPECT_GT(interval.high, interval.ratio);
    EXPECT_LT(interval.high - interval.low, 0.02);
}

// The first run of each turn of three is slow, and differs more: a part of such runs alone makes the interval wide.
TEST(Statistics, APartOfTheSampleIsNotThatOfOneTurn) {
    std::mt19937 random(7);
    std::vector<double> fast, slow;
    for (size_t i = 0; i < 6 * kMostResampledPairs; i++) {
        fast.push_back(i % 3 == 0 ? 5.0 + 0.01 * static_cast<double>(random() % 1000)
                                  : 1.0 + 0.001 * static_cast<double>(i % 7));
        slow.push_back(2.0 + 0.001 * static_cast<double>(i % 5));
    }
    const RatioInterval interval = ratio_of_medians(slow, fast);
    EXPECT_GT(interval.low, 1.9);
    EXPECT_LT(interval.high, 2.1);
    EXPECT_LT(interval.high - interval.low, 0.02);
}

// Samples of known medians, in sittings that differ: most of the intervals have the true ratio in them.
TEST(Statistics, IntervalsCoverTheTrueRatioAboutAsOftenAsTheySay) {
    constexpr int kTrials = 40;
    std::mt19937 random(11);
    std::lognormal_distribution<double> noise(0.0, 0.05), sitting(0.0, 0.02);
    for (const size_t per_cluster : {20, 450}) {
        int covered = 0;
        for (int trial = 0; trial < kTrials; trial++) {
            std::vector<double> fast, slow;
            std::vector<size_t> clusters;
            for (int cluster = 0; cluster < 10; cluster++) {
                clusters.push_back(fast.size());
                const double a = sitting(random), b = sitting(random);
                for (size_t i = 0; i < per_cluster; i++) {
                    fast.push_back(a * noise(random));
                    slow.push_back(2.0 * b * noise(random));
                }
            }
            const RatioInterval interval = ratio_of_medians(slow, fast, clusters);
            covered += interval.low <= 2.0 && 2.0 <= interval.high ? 1 : 0;
        }
        EXPECT_GE(covered, kTrials * 85 / 100) << per_cluster;
    }
}

}  // namespace
}  // namespace emulsion
