// Plans of problems that no network has are explained like any other.
#include "bench/explain/explain_plan.h"

#include <gtest/gtest.h>

#include "bench/explain/page.h"
#include "bench/explain/render.h"
#include "fusion/policy.h"
#include "tests/fusion/graphs.h"
#include "tests/fusion/toy_problem.h"

namespace emulsion::test {
namespace {

PlannedProblem planned(const ToyProblem &toy, const std::map<int, int> &forced = {}) {
    return make_plan(toy.problem, {}, find_policy("gao2025"), forced);
}

Explanation explained(const ToyProblem &toy, const std::map<int, int> &forced = {}) {
    const PlannedProblem made = planned(toy, forced);
    return explain_problem(toy.problem, made, Machine(), own_names(made.decided.graph));
}

}  // namespace

TEST(ExplainProblem, AToyImplementationIsExplainedWhereItIsTaken) {
    const ToyProblem toy(0.01);
    const Explanation explanation = explained(toy);
    ASSERT_EQ(2U, explanation.choices.size());
    for (const ExplainedChoice &choice : explanation.choices) {
        EXPECT_EQ("toy", choice.implementation);
        EXPECT_LT(0.0, choice.alone_ms.at("toy"));
    }
    const Json json = to_json(explanation);
    EXPECT_EQ("conv", json.at("choices").at(0).at("operator"));
    EXPECT_EQ("toy", json.at("choices").at(0).at("implementation"));
    EXPECT_EQ(2U, json.at("choices").at(0).at("alone_ms").size());
    ASSERT_EQ(3U, json.at("groups").size());
    EXPECT_EQ("toy_conv+toy_relu", json.at("groups").at(1).at("label"));
    EXPECT_EQ("view", json.at("groups").at(0).at("kind"));
    EXPECT_EQ("view", json.at("groups").at(2).at("kind"));
    const std::string text = explanation_text(explanation, false);
    EXPECT_NE(std::string::npos, text.find("operators with several implementations")) << text;
    EXPECT_NE(std::string::npos, text.find("toy_conv+toy_relu")) << text;
    for (const ExplainedChoice &choice : explanation.choices) {
        EXPECT_NE(std::string::npos,
                  text.find("toy " + time_text(choice.alone_ms.at("toy")) + " ms"))
            << text;
    }
}

TEST(ExplainProblem, WhatAnImplementationWouldHaveCostIsSaidWhereAnotherIsTaken) {
    const Explanation explanation = explained(ToyProblem(100.0));
    ASSERT_EQ(2U, explanation.choices.size());
    const ExplainedChoice &conv = explanation.choices.front();
    EXPECT_NE("toy", conv.implementation);
    EXPECT_LT(conv.alone_ms.at(conv.implementation), conv.alone_ms.at("toy"));
    EXPECT_NE(std::string::npos, explanation_text(explanation, true)
                                     .find("toy " + time_text(conv.alone_ms.at("toy")) + " ms"));
    const Json forced = to_json(explained(ToyProblem(100.0), {{0, 1}}));
    EXPECT_EQ("toy", forced.at("choices").at(0).at("implementation"));
}

TEST(ExplainProblem, EveryGroupHasItsPriceAndWhatItMoves) {
    const ToyProblem toy(0.01);
    const PlannedProblem made = planned(toy);
    const Machine machine;
    const Explanation explanation =
        explain_problem(toy.problem, made, machine, own_names(made.decided.graph));
    EXPECT_EQ(made.plan.launched_groups(), explanation.launched);
    EXPECT_DOUBLE_EQ(machine.milliseconds(made.plan.predicted_cycles()), explanation.predicted_ms);
    int64_t moved = 0;
    for (const ExplainedGroup &group : explanation.groups) {
        moved += group.work.bytes_read + group.work.bytes_written;
        EXPECT_EQ(group.launched(), group.predicted_ms > 0.0);
    }
    EXPECT_EQ(moved, explanation.bytes_moved);
    EXPECT_EQ(int64_t{2} * 8 * 36 * 4, moved);
}

TEST(ExplainProblem, OperatorsAndTensorsAreCalledAsPeopleKnowThem) {
    const ToyProblem toy(100.0);
    const PlannedProblem made = planned(toy);
    PlanNames names = own_names(made.decided.graph);
    for (std::string &name : names.operators) {
        name = "the " + name;
    }
    for (PlanNames::Tensor &value : names.values) {
        value = {"tensor of " + value.name, "f32"};
    }
    const Json json = to_json(explain_problem(toy.problem, made, Machine(), names));
    for (const auto &group : json.at("groups")) {
        EXPECT_TRUE(group.at("label").get<std::string>().starts_with("the ")) << group;
        EXPECT_TRUE(group.at("output").at("name").get<std::string>().starts_with("tensor of "));
        EXPECT_EQ("f32", group.at("output").at("type"));
    }
}

}  // namespace emulsion::test
