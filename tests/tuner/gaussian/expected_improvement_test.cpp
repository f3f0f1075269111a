#include "tuner/gaussian/expected_improvement.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace emulsion {

namespace {

TEST(ExpectedImprovement, IsTheIntegralOfWhatIsAbove) {
    for (const double mean : {-1.0, 0.0, 0.5}) {
        for (const double deviation : {0.1, 1.0, 2.0}) {
            constexpr int kSteps = 200'000;
            constexpr double kFar = 10.0;
            double sum = 0.0;
            for (int i = 0; i < kSteps; i++) {
                const double z = -kFar + 2.0 * kFar * (i + 0.5) / kSteps;
                sum += std::max(mean + deviation * z - 0.25, 0.0) * std::exp(-z * z / 2.0);
            }
            sum *= 2.0 * kFar / kSteps / std::sqrt(2.0 * std::numbers::pi);
            EXPECT_NEAR(sum, expected_improvement(mean, deviation, 0.25), 1e-7);
        }
    }
    EXPECT_EQ(0.5, expected_improvement(1.0, 0.0, 0.5));
    EXPECT_EQ(0.0, expected_improvement(0.0, 0.0, 0.5));
}

TEST(ExpectedImprovement, IsOfLogarithmsOfScoresThatMayFail) {
    const Prediction score{.mean = 0.5, .deviation = 0.1, .p_valid = 0.25};
    EXPECT_EQ(0.25 * expected_improvement(std::log(0.5), 0.2, -1.0),
              expected_improvement(score, -1.0));
    EXPECT_EQ(0.0, expected_improvement(Prediction{}, -1.0));
}

}  // namespace

}  // namespace emulsion
