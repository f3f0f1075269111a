#include "tuner/gaussian/fit_process.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace emulsion {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;

// Of `points` for each task: a wave along the first input, whose height is the task's; the second input says nothing.
ProcessData waves(const std::vector<double> &heights, const std::vector<int> &points,
                  uint64_t seed) {
    std::mt19937_64 engine(seed);
    std::uniform_real_distribution<double> uniform;
    std::normal_distribution<double> noise(0.0, 0.02);
    ProcessData data{.x = {}, .y = {}, .task = {}, .tasks = static_cast<int>(heights.size())};
    for (size_t task = 0; task < heights.size(); task++) {
        for (int i = 0; i < points[task]; i++) {
            const Index r = std::ssize(data.task);
            data.x.conservativeResize(r + 1, 2);
            data.y.conservativeResize(r + 1);
            data.x(r, 0) = uniform(engine);
            data.x(r, 1) = uniform(engine);
            data.y(r) = heights[task] * std::sin(6.0 * data.x(r, 0)) + noise(engine);
            data.task.push_back(static_cast<int>(task));
        }
    }
    return data;
}

TEST(FitProcess, FindsWhichInputMatters) {
    const ProcessParameters found = fit_process(waves({1.0}, {30}, 1), {});
    EXPECT_LT(2.0 * found.length(0, 0), found.length(1, 0));
    EXPECT_GT(0.05, found.noise(0));
}

TEST(FitProcess, LearnsFromOtherTasks) {
    // Of the second task three points are known; it is like the first, if higher.
    const ProcessData together = waves({1.0, 1.5}, {30, 3}, 2);
    ProcessData alone;
    for (Index r = 30; r < 33; r++) {
        alone.task.push_back(0);
    }
    alone.x = together.x.bottomRows(3);
    alone.y = together.y.tail(3);
    MatrixXd x(20, 2);
    for (Index r = 0; r < x.rows(); r++) {
        x(r, 0) = static_cast<double>(r) / 20.0;
        x(r, 1) = 0.5;
    }
    const auto error = [&](const ProcessData &data, int task) {
        const auto at = CoregionalProcess(data, fit_process(data, {})).at(task, x);
        double squares = 0.0;
        for (Index r = 0; r < x.rows(); r++) {
            squares += std::pow(at.mean(r) - 1.5 * std::sin(6.0 * x(r, 0)), 2.0);
        }
        return std::sqrt(squares / 20.0);
    };
    EXPECT_LT(2.0 * error(together, 1), error(alone, 0));
}

TEST(FitProcess, IsTheCheapestOfItsStartsWhichAreFitsOfTheirOwn) {
    const ProcessData data = waves({1.0, -0.5}, {10, 10}, 3);
    const FitOptions options{.starts = 4, .seed = 7};
    const ProcessParameters found = fit_process(data, options);
    double least = 1e300;
    ProcessParameters cheapest;
    // In another order, as if each were another process's.
    for (const int start : {3, 1, 0, 2}) {
        const ProcessFit fit = fit_from(data, options, start);
        if (fit.cost < least) {
            least = fit.cost;
            cheapest = fit.parameters;
        }
    }
    EXPECT_EQ(cheapest.length, found.length);
    EXPECT_EQ(cheapest.shared, found.shared);
    EXPECT_EQ(cheapest.own, found.own);
    EXPECT_EQ(cheapest.noise, found.noise);
}

TEST(FitProcess, TakesAsManyObservationsAsThereAre) {
    ProcessData one = waves({1.0}, {1}, 4);
    EXPECT_TRUE(fit_process(one, {}).length.allFinite());
    one.x.resize(1, 0);  // nothing differs
    EXPECT_EQ(0, fit_process(one, {}).length.size());
}

}  // namespace

}  // namespace emulsion
