#include "bench/calibration_verdict.h"

#include <gtest/gtest.h>

namespace emulsion {
namespace {

constexpr size_t kMany = 400;

bool has(const std::string &text, const std::string &part) {
    return text.find(part) != std::string::npos;
}

TEST(CalibrationVerdict, SaysThatConstantsAreBetter) {
    const CalibrationVerdict verdict = judge_calibration(kMany, {0.3, 0.2}, {0.1, 0.1});
    EXPECT_TRUE(has(verdict.sentence, "are better")) << verdict.sentence;
    EXPECT_TRUE(has(verdict.sentence, "1.11 instead of 1.35")) << verdict.sentence;
    EXPECT_TRUE(verdict.warnings.empty());
}

TEST(CalibrationVerdict, SaysThatTheyAreNot) {
    const CalibrationVerdict verdict = judge_calibration(kMany, {0.1, 0.1}, {0.1, 0.098});
    EXPECT_TRUE(has(verdict.sentence, "not better")) << verdict.sentence;
    EXPECT_TRUE(verdict.warnings.empty());
}

TEST(CalibrationVerdict, WarnsWhereOneOfTheTwoGotWorse) {
    const auto decisions = judge_calibration(kMany, {0.3, 0.1}, {0.1, 0.15}).warnings;
    ASSERT_EQ(1U, decisions.size());
    EXPECT_TRUE(has(decisions[0], "whether fusing pays")) << decisions[0];
    const auto groups = judge_calibration(kMany, {0.1, 0.3}, {0.2, 0.1}).warnings;
    ASSERT_EQ(1U, groups.size());
    EXPECT_TRUE(has(groups[0], "the times of groups")) << groups[0];
}

TEST(CalibrationVerdict, WarnsOfFewGroupsAndOfPoorPredictions) {
    const auto few = judge_calibration(5, {0.3, 0.1}, {0.1, 0.1}).warnings;
    ASSERT_EQ(1U, few.size());
    EXPECT_TRUE(has(few[0], "only 5 groups")) << few[0];
    const auto poor = judge_calibration(kMany, {0.9, 0.1}, {0.7, 0.1}).warnings;
    ASSERT_EQ(1U, poor.size());
    EXPECT_TRUE(has(poor[0], "factor of 2.01")) << poor[0];
}

}  // namespace
}  // namespace emulsion
