// Plans as files: made again they are the same, and edited they compute the same or are refused with a sentence.
#include <gtest/gtest.h>

#include <chrono>
#include <iostream>
#include <random>

#include <nlohmann/json.hpp>

#include "frontend/lower/network_plan.h"
#include "tests/lower/cpu_targets.h"
#include "tests/lower/execution.h"
#include "tests/lower/network_maker.h"
#include "tests/lower/random_network.h"

namespace emulsion::test {

namespace {

using nlohmann::json;

PlanOptions options_of(uint64_t seed) {
    return {.policy = seed % 3 == 0 ? "tvm" : "gao2025",
            .target = cpu_targets().at(seed % cpu_targets().size()),
            .threads = 1 + static_cast<int>(seed % 2)};
}

std::string document(const Graph &graph, const PlanOptions &options) {
    return network_plan_document(graph, plan_network(graph, options), options);
}

std::string refusal(const Graph &graph, const json &edited) {
    try {
        plan_network(graph, options_from_plan(edited.dump(), "plan.json"));
    } catch (const Error &error) {
        return error.what();
    }
    return "";
}

json *member(json &plan, std::mt19937_64 &engine) {
    json &groups = plan["plan"]["groups"];
    json &group = groups[engine() % groups.size()];
    return group["members"].empty() ? nullptr
                                    : &group["members"][engine() % group["members"].size()];
}

// The name of an operator that has readers.
std::string first_computed(const json &plan) {
    for (const json &group : plan["plan"]["groups"]) {
        if (group["kind"] == "compute") {
            return group["members"][0]["op"];
        }
    }
    return "";
}

json *conversion(json &plan) {
    for (json &group : plan["plan"]["groups"]) {
        if (group["kind"] == "convert") {
            return &group;
        }
    }
    return nullptr;
}

void leave_out_what_follows(json &plan) {
    plan["plan"].erase("values");
    for (json &group : plan["plan"]["groups"]) {
        for (json &each : group["members"]) {
            each.erase("parts");
            each.erase("nest");
        }
    }
}

// What somebody might do to a plan, and worse.
void edit(json &plan, std::mt19937_64 &engine) {
    json &groups = plan["plan"]["groups"];
    json *of = member(plan, engine);
    switch (engine() % 9) {
    case 0:
    case 1:
        if (of != nullptr && of->contains("nest")) {
            json &parameters = (*of)["nest"]["parameters"];
            auto it = parameters.begin();
            std::advance(it, static_cast<ptrdiff_t>(engine() % parameters.size()));
            const int64_t values[] = {0, 1, 2, 3, 4, 8, 16, 1 << 20, -1};
            *it = values[engine() % std::size(values)];
        }
        break;
    case 2: {  // two groups into one
        leave_out_what_follows(plan);
        const size_t first = engine() % groups.size(), second = engine() % groups.size();
        if (first != second && groups[first]["kind"] != "convert" &&
            groups[second]["kind"] != "convert") {
            for (const json &each : groups[first]["members"]) {
                groups[second]["members"].push_back(each);
            }
            groups[second]["kind"] = "compute";
            groups.erase(groups.begin() + static_cast<ptrdiff_t>(first));
        }
        break;
    }
    case 3: {  // a group into two
        leave_out_what_follows(plan);
        json &group = groups[engine() % groups.size()];
        if (group["members"].size() > 1) {
            json half = group;
            half["members"].erase(half["members"].begin());
            group["members"] = json::array({group["members"][0]});
            groups.push_back(half);
        }
        break;
    }
    case 4:
        if (of != nullptr) {
            (*of)["op"] = engine() % 2 == 0 ? "nobody" : "n0_op";
        }
        break;
    case 5:
        if (of != nullptr) {
            (*of)["implementation"] = "magic";
        }
        break;
    case 6: groups.erase(groups.begin() + static_cast<ptrdiff_t>(engine() % groups.size())); break;
    case 7: {
        json &values = plan["plan"]["values"];
        json &layout = values[engine() % values.size()]["layout"];
        if (engine() % 2 == 0) {
            std::reverse(layout["order"].begin(), layout["order"].end());
        } else {
            layout["around"] = json::array();
            for (size_t i = 0; i < layout["order"].size(); i++) {
                layout["around"].push_back({1, 1 << 30});
            }
        }
        break;
    }
    default:
        plan["plan"]["implementations"].push_back(
            {{"op", engine() % 2 == 0 ? "nobody" : "Conv_0"}, {"implementation", "winograd_2x2"}});
    }
}

// Edits random plans and runs what is accepted, for so long.
void expect_edits_right_or_refused(uint64_t first, double seconds) {
    const auto start = std::chrono::steady_clock::now();
    int refused = 0, accepted = 0;
    for (uint64_t seed = first;
         std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < seconds;
         seed++) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const auto [graph, inputs, reference] = random_network(seed);
        std::mt19937_64 engine(seed);
        const std::string text = document(graph, options_of(seed));
        for (int i = 0; i < 8; i++) {
            json plan = json::parse(text);
            edit(plan, engine);
            PlannedNetwork network;
            try {
                network = plan_network(graph, options_from_plan(plan.dump(), "plan.json"));
            } catch (const Error &error) {
                EXPECT_NE(std::string::npos, std::string(error.what()).find("plan.json"))
                    << error.what();
                refused++;
                continue;
            }
            if (accepted++ % 8 == 0) {
                EXPECT_EQ("", run_and_compare(network, inputs, reference)) << describe(network);
            }
        }
    }
    testing::Test::RecordProperty("refused", refused);
    testing::Test::RecordProperty("accepted", accepted);
    EXPECT_GT(refused, 0);
    EXPECT_GT(accepted, 0);
}

}  // namespace

TEST(Replay, OfAPlanIsThatPlan) {
    for (uint64_t seed = 1; seed <= 30; seed++) {
        const Graph graph = random_network(seed).graph;
        const PlanOptions options = options_of(seed);
        const std::string text = document(graph, options);
        const PlanOptions again = options_from_plan(text, "plan.json");
        const PlannedNetwork first = plan_network(graph, options);
        const PlannedNetwork second = plan_network(graph, again);
        EXPECT_EQ(to_json(first.plan), to_json(second.plan)) << "seed " << seed;
        EXPECT_EQ(text, network_plan_document(graph, second, again));
        ASSERT_EQ(first.launches.size(), second.launches.size());
        for (size_t i = 0; i < first.launches.size(); i++) {
            EXPECT_EQ(to_json(first.launches[i].unit), to_json(second.launches[i].unit));
        }
    }
}

TEST(Replay, OfAPlanWithoutWhatFollowsFromItsGroupsHasTheSameGroups) {
    for (uint64_t seed = 1; seed <= 30; seed++) {
        const Graph graph = random_network(seed).graph;
        const PlanOptions options = options_of(seed);
        json plan = json::parse(document(graph, options));
        leave_out_what_follows(plan);
        const PlannedNetwork again =
            plan_network(graph, options_from_plan(plan.dump(), "plan.json"));
        const Plan first = plan_network(graph, options).plan;
        EXPECT_EQ(first.values, again.plan.values);
        EXPECT_EQ(first.groups, again.plan.groups);
    }
}

TEST(Replay, RefusalsNameWhatDoesNotFit) {
    NetworkMaker m(1);
    m.unary("Relu", m.conv(m.input({1, 4, 9, 9}), {.channels = 4, .kernel = 3, .padding = 1}));
    const Graph graph = m.finish_all();
    const json plan = json::parse(document(graph, {}));
    EXPECT_EQ("", refusal(graph, plan));
    json other = plan;
    other["structure"] = "0";
    EXPECT_NE(std::string::npos, refusal(graph, other).find("another network"));
    other = plan;
    other["plan"]["groups"].erase(other["plan"]["groups"].size() - 1);
    EXPECT_NE(std::string::npos, refusal(graph, other).find("no group that computes"));
    other = plan;
    other["plan"]["implementations"] = {{{"op", graph.nodes[0].name}, {"implementation", "magic"}}};
    EXPECT_NE(std::string::npos, refusal(graph, other).find("direct, winograd_2x2"));
    other = plan;
    for (json &group : other["plan"]["groups"]) {
        for (json &each : group["members"]) {
            if (each.contains("nest") && group["kind"] == "compute") {
                each["nest"]["parameters"]["vectors"] = 1000;
            }
        }
    }
    EXPECT_NE(std::string::npos, refusal(graph, other).find("'vectors' is 1000, accepted are"))
        << refusal(graph, other);
    other = plan;
    other["plan"]["moves"] = {{{"op", first_computed(plan)}, {"way", "converted"}}};
    EXPECT_NE(std::string::npos, refusal(graph, other).find("makes nothing for it alone"))
        << refusal(graph, other);
    other = plan;
    other["threads"] = 0;
    EXPECT_NE(std::string::npos, refusal(graph, other).find("0 threads"));
}

// A conversion is a group like others.
TEST(Replay, TakesTheLoopNestOfAConversion) {
    NetworkMaker m(1);
    m.conv(m.input({1, 16, 9, 9}), {.channels = 16, .kernel = 3, .padding = 1});
    const Graph graph = m.finish_all();
    PlanOptions options;
    options.target = kAvx2Target;
    json plan = json::parse(document(graph, options));
    ASSERT_NE(nullptr, conversion(plan));
    json &member = (*conversion(plan))["members"][0];
    EXPECT_EQ("elementwise", member["nest"]["template"]);
    member["nest"]["parameters"]["vector"] = 1;
    const PlannedNetwork first = plan_network(graph, options);
    const PlannedNetwork again = plan_network(graph, options_from_plan(plan.dump(), "plan.json"));
    ASSERT_EQ(first.launches.size(), again.launches.size());
    const PlannedGroup &group = again.plan.groups.front();
    EXPECT_EQ(GroupKind::Convert, group.kind);
    EXPECT_EQ(1, group.members.at(0).nest.parameters.at("vector"));
    EXPECT_EQ(group.members.at(0).nest,
              again.launches.front().unit.plan.groups.at(0).members.at(0).nest);
    EXPECT_GT(group.cycles, first.plan.groups.front().cycles);
    const TensorValues inputs = random_inputs(graph, 1);
    EXPECT_EQ("", run_and_compare(again, inputs, evaluate_reference(graph, inputs)));
}

// Whose elements would be written one by one, along channels.
TEST(Replay, OfAConvertedResultIsThatPlanAndRight) {
    NetworkMaker m(1);
    m.conv(m.input({1, 16, 35, 20}), {.channels = 200, .kernel = 3, .padding = 1});
    const Graph graph = m.finish_all();
    PlanOptions options;
    options.target = kAvx2Target;
    const std::string text = document(graph, options);
    const json plan = json::parse(text);
    ASSERT_EQ(1U, plan["plan"]["moves"].size());
    EXPECT_EQ("converted", plan["plan"]["moves"][0]["way"]);
    const PlannedNetwork again = plan_network(graph, options_from_plan(text, "plan.json"));
    EXPECT_EQ(GroupKind::Convert, again.plan.groups.back().kind);
    EXPECT_EQ(text, network_plan_document(graph, again, options_from_plan(text, "plan.json")));
    const TensorValues inputs = random_inputs(graph, 1);
    EXPECT_EQ("", run_and_compare(again, inputs, evaluate_reference(graph, inputs)));
}

TEST(Replay, RefusesConversionsThatDoNotFit) {
    NetworkMaker m(1);
    m.conv(m.input({1, 16, 9, 9}), {.channels = 16, .kernel = 3, .padding = 1});
    const Graph graph = m.finish_all();
    PlanOptions options;
    options.target = kAvx2Target;
    const json plan = json::parse(document(graph, options));
    json other = plan;
    (*conversion(other))["members"][0]["nest"]["parameters"]["vector"] = 3;
    EXPECT_NE(std::string::npos, refusal(graph, other).find("'vector' is 3"))
        << refusal(graph, other);
    other = plan;
    (*conversion(other))["members"][0]["op"] = "input nobody";
    EXPECT_NE(std::string::npos, refusal(graph, other).find("'input nobody'"))
        << refusal(graph, other);
    other = plan;
    leave_out_what_follows(other);
    const json twice = *conversion(other);
    other["plan"]["groups"].push_back(twice);
    EXPECT_NE(std::string::npos, refusal(graph, other).find("leave it out"))
        << refusal(graph, other);
    // Files that don't say how conversions are computed, or not that there are any, leave it to the planner.
    other = plan;
    (*conversion(other))["members"] = json::array();
    EXPECT_EQ("", refusal(graph, other));
    const Plan first = plan_network(graph, options).plan;
    EXPECT_EQ(first, plan_network(graph, options_from_plan(other.dump(), "plan.json")).plan);
    leave_out_what_follows(other);
    other["plan"]["groups"].erase(size_t{0});
    EXPECT_EQ(first, plan_network(graph, options_from_plan(other.dump(), "plan.json")).plan);
}

TEST(Replay, OfEditedPlansIsRightOrRefused) { expect_edits_right_or_refused(1, 4.0); }

TEST(SlowReplay, OfEditedPlansIsRightOrRefused) {
    const uint64_t seed = std::random_device()();
    std::cout << "seed " << seed << "\n";
    expect_edits_right_or_refused(seed, 30.0);
}

}  // namespace emulsion::test
