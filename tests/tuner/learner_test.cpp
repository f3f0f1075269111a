#include "tuner/learner.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "fusion/error.h"
#include "tests/tuner/toy_task.h"
#include "tuner/grid.h"

namespace emulsion {

namespace {

std::vector<Nest> all_points(const TuningTask &task) { return GridWalk(Grid(task)).next(100'000); }

// Every third point.
std::vector<Nest> some_points(const TuningTask &task) {
    std::vector<Nest> some;
    const std::vector<Nest> all = all_points(task);
    for (size_t i = 0; i < all.size(); i += 3) {
        some.push_back(all[i]);
    }
    return some;
}

std::vector<std::vector<float>> features_of(const Learner &learner, size_t task,
                                            const std::vector<Nest> &nests) {
    std::vector<std::vector<float>> features;
    for (const Nest &nest : nests) {
        features.push_back(learner.features(task).of(nest));
    }
    return features;
}

TEST(Learner, RanksPointsThatNobodyHasMeasured) {
    for (const ModelKind *kind : all_models()) {
        const TuningTask task = toy_task();
        Learner learner(*kind, 1);
        const size_t number = learner.add(task, {});
        EXPECT_TRUE(learner.predict(number, {}).empty());
        learner.observe(number, toy_results(task, some_points(task)));
        const std::vector<Nest> all = all_points(task);
        const std::vector<Prediction> predictions =
            learner.predict(number, features_of(learner, number, all));
        ASSERT_EQ(all.size(), predictions.size());
        int right = 0, pairs = 0;
        for (size_t i = 0; i < all.size(); i++) {
            for (size_t j = 0; j < i; j++) {
                const double apart = toy_ratio(task, all[i]) - toy_ratio(task, all[j]);
                right += (predictions[j].mean - predictions[i].mean) * apart > 0.0 ? 1 : 0;
                pairs += apart != 0.0 ? 1 : 0;
            }
        }
        EXPECT_LT(0.85 * pairs, right) << kind->name;
    }
}

TEST(Learner, SaysWhatFails) {
    const TuningTask task = toy_task();
    Learner learner(find_model("trees"), 1);
    const size_t number = learner.add(task, {.validity = true});
    std::vector<Result> results = toy_results(task, some_points(task));
    for (Result &result : results) {
        if (result.nest.parameters.at("rows") > 8) {
            result = {result.nest, Outcome::Crashed, 0.0, 0.0, 0.1, "signal 11"};
        }
    }
    learner.observe(number, results);
    const std::vector<Nest> all = all_points(task);
    const std::vector<Prediction> predictions =
        learner.predict(number, features_of(learner, number, all));
    for (size_t i = 0; i < all.size(); i++) {
        EXPECT_EQ(all[i].parameters.at("rows") <= 8, predictions[i].p_valid > 0.5)
            << point_text(all[i]);
    }
}

TEST(Learner, KnowsWhereItIsNotSure) {
    const TuningTask task = toy_task();
    Learner learner(find_model("trees"), 1);
    const size_t number = learner.add(task, {.deviation = true});
    // Where columns are many, times are another thing than features say.
    std::vector<Result> results = toy_results(task, all_points(task));
    for (size_t i = 0; i < results.size(); i++) {
        if (results[i].nest.parameters.at("columns") >= 16) {
            results[i].ratio = i % 2 == 0 ? 0.4 : 2.0;
        }
    }
    std::vector<std::vector<Result>> parts(2);
    for (size_t i = 0; i < results.size(); i++) {
        parts[i / 2 % 2].push_back(results[i]);
    }
    learner.observe(number, parts[0]);
    learner.predict(number, features_of(learner, number, {task.planned}));
    learner.observe(number, parts[1]);
    double of_sure = 0.0, of_unsure = 0.0;
    const std::vector<Nest> all = all_points(task);
    const std::vector<Prediction> predictions =
        learner.predict(number, features_of(learner, number, all));
    for (size_t i = 0; i < all.size(); i++) {
        (all[i].parameters.at("columns") >= 16 ? of_unsure : of_sure) += predictions[i].deviation;
    }
    EXPECT_LT(2.0 * of_sure, of_unsure);
}

TEST(Models, ArePutAwayAndTakenUpAgain) {
    const TuningTask task = toy_task();
    for (const ModelKind *kind : all_models()) {
        Learner learner(*kind, 1);
        const size_t number = learner.add(task, {.deviation = true, .validity = true});
        learner.observe(number, toy_results(task, some_points(task)));
        const auto features = features_of(learner, number, all_points(task));
        const std::vector<Prediction> before = learner.predict(number, features);
        const std::string text = learner.model().save();
        const auto loaded = kind->make(1);
        loaded->load(text);
        EXPECT_EQ(text, loaded->save()) << kind->name;
        const std::vector<Prediction> after =
            loaded->predict({learner.features(number).names(), features, number});
        for (size_t i = 0; i < features.size(); i++) {
            EXPECT_EQ(before[i].mean, after[i].mean) << kind->name;
        }
        EXPECT_FALSE(loaded->importances().empty()) << kind->name;
        for (const std::string &damaged :
             {std::string(), std::string("{}"), text.substr(0, text.size() / 2)}) {
            EXPECT_THROW(kind->make(1)->load(damaged), Error) << kind->name;
        }
    }
}

TEST(Models, OfOrderRankTasksOnTheirOwn) {
    const TuningTask task = toy_task();
    const PointFeatures features(task);
    TaskSamples fast{&features.names(), {}, {}, {}, {}};
    for (const Nest &nest : some_points(task)) {
        fast.features.push_back(features.of(nest));
        fast.scores.push_back(static_cast<float>(0.3 / toy_ratio(task, nest)));
        fast.are_valid.push_back(true);
        fast.surprises.push_back(0.0F);
    }
    TaskSamples slow = fast;
    for (float &score : slow.scores) {
        score /= 100.0F;  // another task's level says nothing
    }
    const auto model = find_model("trees").make(1);
    model->fit({fast, slow}, {.order = true});
    const Nest fastest{"toy", {{"rows", 4}, {"columns", 16}, {"unrolled", 1}}};
    const Nest slowest{"toy", {{"rows", 32}, {"columns", 1}, {"unrolled", 0}}};
    const std::vector<std::vector<float>> both{features.of(fastest), features.of(slowest)};
    const auto predictions = model->predict({features.names(), both});
    EXPECT_LT(predictions[1].mean, predictions[0].mean);
}

}  // namespace

}  // namespace emulsion
