#include "fusion/problem.h"

#include <gtest/gtest.h>

#include "fusion/planner.h"
#include "fusion/policy.h"
#include "tests/fusion/graphs.h"
#include "tests/fusion/toy_problem.h"

namespace emulsion::test {

namespace {

PlannedProblem planned(const ToyProblem &toy, const std::map<int, int> &forced = {}) {
    return make_plan(toy.problem, {}, find_policy("gao2025"), forced);
}

}  // namespace

TEST(Problems, TakeTheFirstAlternativesWhereNothingIsDecided) {
    const ToyProblem toy(1.0);
    EXPECT_EQ((std::vector<std::string>{"conv", "relu"}), toy.names({}));
}

TEST(Problems, ReshapesBetweenAlternativesOfOneFormCancel) {
    const ToyProblem toy(1.0);
    EXPECT_EQ((std::vector<std::string>{"flat_conv", "toy_conv", "image_conv", "relu"}),
              toy.names({1, 0}));
    EXPECT_EQ((std::vector<std::string>{"flat_conv", "toy_conv", "toy_relu", "image_relu"}),
              toy.names({1, 1}));
    const DecidedGraph decided = decide(toy.problem, {1, 1});
    for (size_t v = 0; v < decided.graph.values.size(); v++) {
        EXPECT_EQ(toy.problem.values[static_cast<size_t>(decided.value_of[v])].name,
                  decided.graph.values[v].name);
    }
}

TEST(Problems, WhatIsReadByOthersAsWellStays) {
    ToyProblem toy(1.0);
    toy.problem.values[static_cast<size_t>(toy.problem.operators[0].result())].is_output = true;
    EXPECT_EQ(
        (std::vector<std::string>{"flat_conv", "toy_conv", "image_conv", "toy_relu", "image_relu"}),
        toy.names({1, 1}));
}

TEST(Problems, ACheaperImplementationIsTakenAndItsReadersJoinIt) {
    const PlannedProblem cheap = planned(ToyProblem(0.01));
    EXPECT_EQ((Decisions{1, 1}), cheap.decisions);
    EXPECT_EQ("[flat_conv] | toy_conv toy_relu | [image_relu]", groups_of(cheap.plan));
    EXPECT_EQ((std::vector<PlannedImplementation>{{"conv", "toy"}, {"relu", "toy"}}),
              cheap.plan.implementations);
    const PlannedProblem dear = planned(ToyProblem(100.0));
    EXPECT_EQ((Decisions{0, 0}), dear.decisions);
    EXPECT_TRUE(dear.plan.implementations.empty());
    EXPECT_GT(dear.alone.at(0).at(1), dear.alone.at(0).at(0));
}

TEST(Problems, AForcedImplementationIsTakenWhateverItCosts) {
    EXPECT_EQ(1, planned(ToyProblem(100.0), {{0, 1}}).decisions.at(0));
    EXPECT_EQ((Decisions{0, 0}), planned(ToyProblem(0.01), {{0, 0}, {1, 0}}).decisions);
}

TEST(Problems, NoDecisionMakesAPlanDearer) {
    for (const double operations : {0.01, 0.3, 0.9, 1.0, 1.1, 3.0}) {
        const ToyProblem toy(operations);
        const double start = make_plan(decide(toy.problem, {}).graph, {}).predicted_cycles();
        EXPECT_LE(planned(toy).plan.predicted_cycles(), start) << operations;
    }
}

}  // namespace emulsion::test
