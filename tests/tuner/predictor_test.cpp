#include "tuner/predictor.h"

#include <gtest/gtest.h>

#include "fusion/error.h"
#include "tests/tuner/toy_task.h"
#include "tuner/learner.h"
#include "tuner/points.h"
#include "tuner/shipped_predictor.h"
#include "tuner/strategy.h"
#include "tuner/train.h"

namespace emulsion {

namespace {

TuningTask unseen_task() {
    TuningTask task = toy_task("p9");
    task.facts = toy_facts(task);
    return task;
}

const Nest kFastest{"toy", {{"rows", 4}, {"columns", 16}, {"unrolled", 1}}};

TEST(Predictor, PicksTheFastestOfATaskThatItHasNotSeen) {
    const Predictor predictor = toy_predictor(0.0);
    const TuningTask task = unseen_task();
    EXPECT_GT(1.15 * toy_ratio(task, kFastest), toy_ratio(task, predictor.search(task)));
    EXPECT_EQ(kFastest, predictor.pick(task, {task.suggested.front(), kFastest}));
    EXPECT_EQ(point_text(predictor.search(task, 7)), point_text(predictor.search(task, 7)));
}

TEST(Predictor, KeepsThePlannedNestWhereNothingIsSoMuchBetter) {
    const Predictor careful = toy_predictor(1e6);
    const TuningTask task = unseen_task();
    EXPECT_EQ(task.planned, careful.search(task));
    const Predictor predictor = toy_predictor(0.0);
    const Nest slow{"toy", {{"rows", 32}, {"columns", 1}, {"unrolled", 0}}};
    EXPECT_EQ(task.planned, predictor.pick(task, {slow}));
    EXPECT_EQ(task.planned, predictor.pick(task, {}));
}

TEST(Predictor, IsTheSameWhenItWasPutAway) {
    const Predictor predictor = toy_predictor(0.25);
    const std::string text = predictor.to_text();
    const Predictor read = Predictor::from_text(text, "p.json");
    EXPECT_EQ(text, read.to_text());
    EXPECT_EQ(0.25, read.margin());
    EXPECT_EQ(text, toy_predictor(0.25).to_text()) << "equal records";
}

TEST(Predictor, IsRefusedWhereItIsNone) {
    const std::string good = toy_predictor(0.0).to_text();
    for (const auto &[from, to] : std::vector<std::pair<std::string, std::string>>{
             {"emulsion-predictor", "emulsion-tuned"},
             {"\"kind\": \"trees\"", "\"kind\": \"forest\""},
             {"\"target\": ", "\"targets\": "},
             {"\"threads\": ", "\"fibres\": "},
             {"\"margin\": ", "\"margins\": "},
             {"\"margin\": 0.0", "\"margin\": null"},
             {"features\\\":1", "features\\\":99"},
             {"{", "{{"}}) {
        std::string bad = good;
        ASSERT_NE(std::string::npos, bad.find(from)) << from;
        bad.replace(bad.find(from), from.size(), to);
        try {
            Predictor::from_text(bad, "p.json");
            ADD_FAILURE() << from << " as " << to;
        } catch (const Error &error) {
            EXPECT_EQ("p.json", error.place().file) << from;
        }
    }
}

TEST(Train, HoldsEveryNetworkOut) {
    const Trained trained = train(toy_networks());
    ASSERT_EQ(3u, trained.networks.size());
    for (const HeldOutFigures &figures : trained.networks) {
        EXPECT_EQ(1u, figures.tasks);
        EXPECT_EQ(1u, figures.changed);
        EXPECT_GT(1.15, figures.over_best);
        EXPECT_GT(0.5, figures.over_planned);
        EXPECT_LT(2.0, figures.planned_over_best);
    }
    EXPECT_EQ(3u, trained.shapes.tasks);
    EXPECT_EQ(3u, trained.shapes.changed);
    EXPECT_GT(1.15, trained.shapes.over_best);
    EXPECT_TRUE(trained.predictor.knows(unseen_task().scope));
    EXPECT_THROW(train({toy_networks().front()}), Error);
    EXPECT_THROW(trained_model({}), Error);
}

TEST(Predictor, KnowsTheTargetAndTheThreadsThatItWasTrainedFor) {
    const Predictor predictor = toy_predictor(0.0);
    TuningScope scope = unseen_task().scope;
    EXPECT_TRUE(predictor.knows(scope));
    scope.machine += " with another clock";
    EXPECT_TRUE(predictor.knows(scope));
    scope.threads++;
    EXPECT_FALSE(predictor.knows(scope));
    scope.threads--;
    scope.target += "-avx10";
    EXPECT_FALSE(predictor.knows(scope));
}

TEST(Predictor, RanksOtherPointsThanThePlannedOne) {
    const Predictor predictor = toy_predictor(0.0);
    const TuningTask task = unseen_task();
    const std::vector<Nest> fastest = predictor.fastest(task);
    ASSERT_EQ(64u, fastest.size());
    KnownPoints known;
    for (const Nest &nest : fastest) {
        EXPECT_NE(task.planned, nest);
        EXPECT_EQ("", task.space.is_valid(nest));
        EXPECT_TRUE(known.add(nest));
    }
    EXPECT_EQ(predictor.search(task), fastest.front());
}

TEST(Predictor, OneComesWithEmulsion) {
    const auto shipped = Predictor::shipped();
    EXPECT_NE("", shipped->scope().target);
    EXPECT_TRUE(shipped->model().is_fitted());
    EXPECT_EQ(shipped->to_text(), shipped_predictor());
}

// Its own strategy measures the best of these, and knows nothing of other scopes.
TEST(Predictor, ItsPicksAreWhatOneShotMeasures) {
    const auto predictor = std::make_shared<const Predictor>(toy_predictor(0.0));
    TuningTask task = unseen_task();
    const auto learner = std::make_shared<Learner>(find_model("trees"), 1);
    const auto strategy = find_strategy("oneshot").make(task, {1, learner, predictor});
    const std::vector<Nest> fastest = predictor->fastest(task);
    strategy->observe({{fastest[1]}});
    const std::vector<Proposal> proposals = strategy->propose(2);
    ASSERT_EQ(2u, proposals.size());
    EXPECT_EQ(fastest[0], proposals[0].nest);
    EXPECT_EQ(fastest[2], proposals[1].nest) << "what was measured before is not proposed";
    task.scope.threads++;
    EXPECT_TRUE(find_strategy("oneshot").make(task, {1, learner, predictor})->propose(2).empty());
}

TEST(Train, RefusesRecordsOfSeveralTargets) {
    std::vector<NetworkRecord> all = toy_networks();
    all[2].tasks.front().task.scope.threads++;
    try {
        train(all);
        ADD_FAILURE();
    } catch (const Error &error) {
        EXPECT_NE(std::string::npos, error.message().find("'c'")) << error.message();
    }
}

// What others are wrong about is not followed: the margin is large where no pick was better than planned.
TEST(Train, IsCarefulWhereNetworksSayTheOpposite) {
    std::vector<NetworkRecord> all = toy_networks();
    for (auto &[text, results] : all.front().tasks.front().points) {
        results.first.ratio = 1.0 / results.first.ratio;
        results.second.ratio = 1.0 / results.second.ratio;
    }
    const Trained trained = train({all[0], all[1]});
    for (const HeldOutFigures &figures : trained.networks) {
        EXPECT_GE(1.0, figures.over_planned);
    }
}

}  // namespace

}  // namespace emulsion
