#include "frontend/lower/tuned_nests.h"

#include <gtest/gtest.h>

#include "frontend/graph/pass.h"
#include "frontend/lower/network.h"
#include "frontend/lower/problem_key.h"
#include "frontend/lower/structure_hash.h"
#include "fusion/error.h"
#include "fusion/group_nests.h"
#include "tests/lower/zoo_graph.h"

namespace emulsion {

namespace {

TunedNests some_nests() {
    return {"x86-64-linux",
            2,
            "Some processor, 32/1024/32768 KiB",
            {{"p1", {"conv1", {"convolution", {{"height", 2}, {"column_axis", -1}}}, 0.75}},
             {"p2", {"conv2+relu", {"tiles", {{"vector", 8}}}, 0.5}}},
            std::nullopt,
            "tuned.json"};
}

TEST(TunedNests, AreReadAsTheyWereWritten) {
    EXPECT_EQ(some_nests(), tuned_from_json(to_json(some_nests()), "tuned.json"));
}

TEST(TunedNests, MayHaveAPlan) {
    TunedNests tuned = some_nests();
    tuned.plan = {"0123", Plan()};
    tuned.plan->plan.policy = "gao2025";
    EXPECT_EQ(tuned, tuned_from_json(to_json(tuned), "tuned.json"));
}

TEST(TunedNests, AreRefusedWhereNobodyHasWrittenThem) {
    const std::string good = to_json(some_nests());
    for (const auto &[from, to] : std::vector<std::pair<std::string, std::string>>{
             {"emulsion-tuned", "emulsion-plan"},
             {"\"version\": 1", "\"version\": 2"},
             {"\"threads\": 2", "\"threads\": 0"},
             {"\"threads\": 2", "\"threads\": 257"},
             {"\"threads\": 2", "\"threads\": \"2\""},
             {"\"machine\"", "\"machines\""},
             {"\"height\": 2", "\"height\": 2.5"},
             {"\"height\": 2", "\"height\": 18446744073709551615"},
             {"\"problem\": \"p2\"", "\"problem\": \"p1\""},
             {"\"ratio\": 0.5", "\"ratio\": true"},
             {"\"template\": \"tiles\"", "\"template\": 1"}}) {
        std::string bad = good;
        ASSERT_NE(std::string::npos, bad.find(from)) << from;
        bad.replace(bad.find(from), from.size(), to);
        try {
            tuned_from_json(bad, "tuned.json");
            ADD_FAILURE() << from << " as " << to;
        } catch (const Error &error) {
            EXPECT_EQ("tuned.json", error.place().file);
        }
    }
}

class NetworksWithTunedNests : public testing::Test {
protected:
    NetworksWithTunedNests() : graph_(run_passes(test::zoo_graph("tiny_residual"))) {
        options_.target = "x86-64-linux-avx2-fma";
        network_ = plan_network(graph_, options_);
        tuned_.file = "tuned.json";
    }

    // Other nests than planned for all groups that may have them.
    void change_all() {
        const std::vector<size_t> launched = network_.launched_groups();
        for (size_t i = 0; i < launched.size(); i++) {
            const PlannedGroup &group = network_.plan.groups[launched[i]];
            const NestSpace space = group_space(network_.operators_of(group), group);
            const Nest planned = group_nest(group);
            EXPECT_EQ("", space.is_valid(planned));
            for (const NestParameter &parameter : space.parameters) {
                Nest other = planned;
                other.parameters[parameter.name] =
                    parameter.domain.at_most(planned.parameters.at(parameter.name) / 2);
                if (other != planned && space.is_valid(other).empty()) {
                    const PlannedLaunch &launch = network_.launches[i];
                    tuned_.nests[problem_key(launch.unit)] = {launch.label, other, 0.9};
                    break;
                }
            }
        }
    }

    Graph graph_;
    PlanOptions options_;
    PlannedNetwork network_;
    TunedNests tuned_;
};

TEST_F(NetworksWithTunedNests, HaveThemInPlanAndUnits) {
    change_all();
    ASSERT_LT(1u, tuned_.nests.size());
    options_.tuned = std::make_shared<TunedNests>(tuned_);
    const PlannedNetwork tuned = plan_network(graph_, options_);
    size_t changed = 0;
    for (size_t i = 0; i < tuned.launches.size(); i++) {
        const Unit &unit = tuned.launches[i].unit;
        const std::string problem = problem_key(network_.launches[i].unit);
        if (const auto found = tuned_.nests.find(problem); found != tuned_.nests.end()) {
            changed++;
            EXPECT_EQ(found->second.nest, group_nest(unit.plan.groups.front()));
            EXPECT_NE(unit_key(network_.launches[i].unit), unit_key(unit));
        } else {
            EXPECT_EQ(unit_key(network_.launches[i].unit), unit_key(unit));
        }
    }
    EXPECT_LE(tuned_.nests.size(), changed);
    EXPECT_NE(to_json(network_.plan), to_json(tuned.plan));
    EXPECT_GT(network_.plan.predicted_cycles(), tuned.plan.predicted_cycles());
}

TEST_F(NetworksWithTunedNests, AreGroupedAsTheirPlanSays) {
    PlanOptions alone = options_;
    alone.policy = "none";
    const Plan wanted = plan_network(graph_, alone).plan;
    ASSERT_NE(network_.plan.groups.size(), wanted.groups.size());
    tuned_.plan = {structure_hash(graph_), wanted};
    options_.tuned = std::make_shared<TunedNests>(tuned_);
    EXPECT_EQ(wanted.groups.size(), plan_network(graph_, options_).plan.groups.size());
    // Of another graph it says nothing.
    tuned_.plan->structure = "another";
    options_.tuned = std::make_shared<TunedNests>(tuned_);
    EXPECT_EQ(to_json(network_.plan), to_json(plan_network(graph_, options_).plan));
}

TEST_F(NetworksWithTunedNests, KeepThePlannersWhereTheGroupIsNoneOfTheirs) {
    tuned_.nests["p0"] = {"conv1", {"convolution", {}}, 0.5};
    options_.tuned = std::make_shared<TunedNests>(tuned_);
    EXPECT_EQ(to_json(network_.plan), to_json(plan_network(graph_, options_).plan));
}

TEST_F(NetworksWithTunedNests, RefuseNestsThatTheGroupCannotHave) {
    change_all();
    tuned_.nests.begin()->second.nest.parameters["unheard_of"] = 1;
    options_.tuned = std::make_shared<TunedNests>(tuned_);
    try {
        plan_network(graph_, options_);
        FAIL();
    } catch (const Error &error) {
        EXPECT_NE(std::string::npos, error.message().find("has no parameter 'unheard_of'"));
        EXPECT_EQ("tuned.json", error.place().file);
    }
}

}  // namespace

}  // namespace emulsion
