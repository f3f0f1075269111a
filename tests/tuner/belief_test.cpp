#include "tuner/belief.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/tuner/toy_task.h"
#include "tuner/strategy.h"

namespace emulsion {

namespace {

TEST(Belief, IsOfTheTwoParametersThatMatterMost) {
    const TuningTask task = toy_task();
    const GridPoints points(task);
    const auto around = points.point(task.planned);
    const auto believe = [&](const std::vector<GridPoint> &all) {
        std::vector<Prediction> predictions;
        for (const GridPoint &point : all) {
            EXPECT_TRUE(points.is_valid(point));
            predictions.push_back({1.0 / toy_ratio(task, points.nest(point)), 0.1});
        }
        return predictions;
    };
    const auto belief = belief_around(points, *around, believe);
    ASSERT_TRUE(belief);
    EXPECT_EQ("columns", std::min(belief->across, belief->down));
    EXPECT_EQ("rows", std::max(belief->across, belief->down));
    ASSERT_EQ(belief->across_values.size() * belief->down_values.size(),
              belief->predictions.size());
    for (size_t i = 0; i < belief->predictions.size(); i++) {
        const int64_t across = belief->across_values[i % belief->across_values.size()];
        const int64_t down = belief->down_values[i / belief->across_values.size()];
        EXPECT_EQ(across * down <= 64, belief->predictions[i].has_value());
        Nest nest = task.planned;
        nest.parameters[belief->across] = across;
        nest.parameters[belief->down] = down;
        if (belief->predictions[i]) {
            EXPECT_DOUBLE_EQ(1.0 / toy_ratio(task, nest), belief->predictions[i]->mean);
        }
    }
    EXPECT_FALSE(
        belief_around(points, *around, [](const auto &) { return std::vector<Prediction>(); }));
}

TEST(Belief, IsThereForStrategiesThatHaveAModel) {
    const TuningTask task = toy_task();
    for (const StrategyKind *kind : all_strategies()) {
        const auto strategy =
            kind->make(task, {1, std::make_shared<Learner>(find_model(kind->model), 1)});
        EXPECT_FALSE(strategy->belief(task.planned)) << kind->name << " knows nothing yet";
        strategy->observe(toy_results(task, nests_of(strategy->propose(10))));
        const bool learns = kind->name == "gptune" || kind->name == "ansor" ||
                            kind->name == "guided" || kind->name == "alt" || kind->name == "greedy";
        EXPECT_EQ(learns, strategy->belief(task.planned).has_value()) << kind->name;
    }
}

}  // namespace

}  // namespace emulsion
