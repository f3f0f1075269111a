#include "bench/prediction_figures.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace emulsion {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

TEST(PredictionFigures, CountDecisivePairsAndThoseThatAgree) {
    const PredictionFigures figures = figures_of({}, {{"a", "right", 1.0, 2.0, 3.0, 4.0},
                                                      {"a", "wrong", 1.0, 2.0, 4.0, 3.0},
                                                      {"a", "close", 1.0, 1.04, 4.0, 3.0}});
    EXPECT_EQ(2U, figures.decisive());
    EXPECT_EQ(1U, figures.agreeing());
    EXPECT_DOUBLE_EQ(0.5, figures.agreement());
    EXPECT_DOUBLE_EQ(0.0, figures_of({}, {}).agreement());
}

TEST(PredictionFigures, TakeTheMedianOfErrorsAndTheRankCorrelation) {
    const PredictionFigures figures =
        figures_of({{"a", 1.0, 1.5}, {"a", 2.0, 1.8}, {"b", 4.0, 8.0}}, {});
    EXPECT_EQ(3U, figures.predictions);
    EXPECT_DOUBLE_EQ(0.5, figures.median_error);
    EXPECT_DOUBLE_EQ(1.0, figures.spearman);
}

TEST(PredictionFigures, MeanLogErrorLeavesOutWhatHasNoTime) {
    EXPECT_DOUBLE_EQ(std::log(2.0), mean_log_error(std::vector<TimedPrediction>{
                                        {"a", 1.0, 2.0}, {"a", 4.0, 2.0}, {"a", 1.0, kInfinite}}));
    EXPECT_DOUBLE_EQ(std::log(2.0),
                     mean_log_error(std::vector<DecisionPair>{{"a", "", 1.0, 2.0, 1.0, 1.0},
                                                              {"a", "", 1.0, 1.01, 1.0, 9.0}}));
}

TEST(PredictionFigures, PlotsAPointForEveryPredictionThatHasBoth) {
    const std::string plot =
        scatter_plot({{"a", 1.0, 2.0}, {"b", 3.0, 2.0}, {"b", 1.0, kInfinite}});
    size_t circles = 0;
    for (size_t at = plot.find("<circle"); at != std::string::npos;
         at = plot.find("<circle", at + 1)) {
        circles++;
    }
    EXPECT_EQ(2U, circles);
}

}  // namespace
}  // namespace emulsion
