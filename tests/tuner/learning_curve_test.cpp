#include "tuner/learning_curve.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace emulsion {

namespace {

std::vector<double> falling(double floor, double rate, size_t batches) {
    std::vector<double> best;
    for (size_t n = 0; n < batches; n++) {
        best.push_back(floor + (1.0 - floor) * std::exp(-rate * static_cast<double>(n)));
    }
    return best;
}

TEST(LearningCurve, NeverRises) {
    for (const std::vector<double> &best : {std::vector{1.0}, std::vector{1.0, 1.0, 1.0},
                                            falling(0.5, 0.5, 6), std::vector{100.0, 1.2, 1.1}}) {
        const CurveForecast next = next_of_curve(best);
        EXPECT_LE(0.0, next.low);
        EXPECT_LE(next.low, next.high);
        EXPECT_LE(next.high, best.back());
        EXPECT_LE(next.mean, best.back() + 1e-12);
    }
}

TEST(LearningCurve, GoesOnAsItFell) {
    const std::vector<double> best = falling(0.4, 0.4, 6);
    const double next = falling(0.4, 0.4, 7).back();
    const CurveForecast forecast = next_of_curve(best);
    EXPECT_NEAR(next, forecast.mean, 0.3 * (best.back() - next) + 0.01);
    EXPECT_LE(forecast.low, next);
}

TEST(LearningCurve, OfATaskThatHasStoppedHopesForLess) {
    const std::vector<double> stopped{1.0, 0.8, 0.8, 0.8, 0.8, 0.8, 0.8, 0.8};
    const std::vector<double> falls{1.0, 0.97, 0.94, 0.91, 0.88, 0.85, 0.82, 0.8};
    const auto hope = [](const std::vector<double> &best) {
        const CurveForecast next = next_of_curve(best);
        return best.back() - next.mean + next.deviation;
    };
    EXPECT_LT(hope(stopped), hope(falls));
}

TEST(LearningCurve, IsSurerTheMoreIsKnown) {
    EXPECT_LT(next_of_curve(falling(0.6, 0.7, 10)).deviation,
              next_of_curve(falling(0.6, 0.7, 2)).deviation);
}

TEST(LearningCurve, SaysTheSameOfTheSame) {
    const std::vector<double> best = falling(0.5, 0.3, 5);
    EXPECT_EQ(next_of_curve(best).mean, next_of_curve(best).mean);
    EXPECT_EQ(next_of_curve(best).low, next_of_curve(best).low);
}

}  // namespace

}  // namespace emulsion
