#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

#include "fusion/error.h"
#include "fusion/plan.h"
#include "fusion/planner.h"
#include "tests/fusion/graphs.h"

namespace emulsion {

namespace {

using nlohmann::json;

// A plan in which every field is set to something.
Plan full_plan() {
    Plan plan;
    plan.policy = "gao2025";
    Layout halo{{0, 2, 3, 1}, {{}, {}, {1, 2}, {0, 3}}, -std::numeric_limits<double>::infinity()};
    Layout blocked{{1, 0}, {}, 0.0, 1, 16};
    plan.values = {{"x", row_major(4)}, {"y", halo}, {"z", row_major(1), 1}, {"w", blocked}};
    PlannedMember conv{"conv",
                       "direct",
                       {{"sum", Placement::Register}, {"", Placement::Panel}},
                       0,
                       {"convolution", {{"vector", 8}, {"height_axis", -1}}},
                       {0, 2, 3, 1},
                       {2}};
    conv.reasons = {{"x"}, {{Placement::Root, 2.5}, {Placement::Panel, 1.25}}, "because"};
    PlannedMember softmax{
        "softmax", "direct", {{"max", Placement::Panel}, {"", Placement::Root}}, 1};
    plan.groups = {{GroupKind::Convert, {}, {0}, 1},
                   {GroupKind::Compute, {conv, softmax}, {1, 3}, 1},
                   {GroupKind::View, {}, {1}, 2}};
    PlannedMember cheap{"cheap", "direct", {{"", Placement::Inline}}};
    plan.groups.push_back({GroupKind::Compute, {cheap, softmax}, {0}, 3});
    plan.groups.push_back({GroupKind::Compute, {cheap}, {0}, 3});
    plan.duplications = {{{"cheap"}, 12.5}};
    plan.search = {.states = 3, .duplication_tries = 2, .cycles = 7.5};
    plan.refusals = {{"a", "b", "because of \"quotes\" and umlauts: \xc3\xa4"}};
    return plan;
}

// Every value inside of `j`, as paths.
void collect(const json &j, const json::json_pointer &at, std::vector<json::json_pointer> &paths) {
    paths.push_back(at);
    if (j.is_object()) {
        for (const auto &[key, value] : j.items()) {
            collect(value, at / key, paths);
        }
    } else if (j.is_array()) {
        for (size_t i = 0; i < j.size(); i++) {
            collect(j[i], at / i, paths);
        }
    }
}

// Whether `text` is a plan; throws whatever is no Error.
bool is_plan(const std::string &text) {
    try {
        plan_from_json(text);
        return true;
    } catch (const Error &) {
        return false;
    }
}

void expect_refused(const json &j) {
    try {
        plan_from_json(j.dump());
        ADD_FAILURE() << "accepted: " << j.dump();
    } catch (const Error &e) {
        EXPECT_EQ(2, e.exit_code());
        EXPECT_NE(std::string::npos, std::string(e.what()).find("plan")) << e.what();
    }
}

void expect_refused(const std::string &path, const json &value) {
    json j = json::parse(to_json(full_plan()));
    const json::json_pointer at(path);
    ASSERT_TRUE(path.find("alias_of") != std::string::npos || j.contains(at)) << path;
    j[at] = value;
    SCOPED_TRACE(path + " = " + value.dump());
    expect_refused(j);
}

}  // namespace

TEST(PlanJson, GivesThePlanBack) {
    const Plan plan = full_plan();
    EXPECT_EQ(plan, plan_from_json(to_json(plan)));
    EXPECT_EQ(plan, plan_from_json(to_json(plan, 2)));
    EXPECT_EQ(Plan{}, plan_from_json(to_json(Plan{})));
}

TEST(PlanJson, DuplicationsOfWhatNotSeveralGroupsComputeAreRefused) {
    const json full = json::parse(to_json(full_plan()));
    const auto refusal = [&](const json &operators) -> std::string {
        json j = full;
        j["duplications"][0]["operators"] = operators;
        try {
            plan_from_json(j.dump());
        } catch (const Error &e) {
            return e.what();
        }
        return "";
    };
    EXPECT_EQ("", refusal({"cheap"}));
    EXPECT_EQ("the plan duplicates 'nobody', which is in none of its groups",
              refusal({"cheap", "nobody"}));
    EXPECT_EQ("the plan duplicates 'conv', which is in one group only", refusal({"conv"}));
    EXPECT_EQ("the plan has a duplication of no operator", refusal(json::array()));
    EXPECT_NE("", refusal("cheap"));
    EXPECT_NE("", refusal({3}));
    expect_refused("/duplications", "cheap");
    expect_refused("/duplications/0/cycles_won", "much");
}

TEST(PlanJson, EqualPlansGiveEqualBytes) {
    for (uint64_t seed = 1; seed <= 200; seed++) {
        const OperatorGraph graph = test::random_graph(seed, 12);
        const Plan plan = make_plan(graph, {});
        const std::string text = to_json(plan);
        EXPECT_EQ(text, to_json(make_plan(graph, {})));
        const Plan back = plan_from_json(text);
        EXPECT_EQ(plan, back);
        EXPECT_EQ(text, to_json(back));
    }
}

TEST(PlanJson, TextThatIsNoJsonIsRefused) {
    for (const char *text : {"", "{", "null", "[]", "3", "\"plan\"", "{}", "{\"policy\": \"x\"}",
                             "{\"policy\":\"x\",\"values\":[],\"groups\":[]} and more",
                             "{\"policy\":\"\xff\",\"values\":[],\"groups\":[]}"}) {
        EXPECT_THROW(plan_from_json(text), Error) << text;
    }
    EXPECT_THROW(plan_from_json(std::string(100000, '[')), Error);
}

TEST(PlanJson, IndicesOutOfRangeAreRefused) {
    for (int bad : {-1, 4, 1000000}) {
        expect_refused("/groups/0/inputs/0", bad);
    }
    for (int bad : {-2, 4}) {
        expect_refused("/groups/0/output", bad);
    }
    // No value reads its own memory through another one, or that of a later one.
    for (int bad : {-2, 2, 3, 4}) {
        expect_refused("/values/2/alias_of", bad);
    }
}

TEST(PlanJson, NumbersThatAreNoWholeNumbersOfTheirTypeAreRefused) {
    for (const json &bad : {json(0.5), json(1e30), json(int64_t{1} << 32), json(true)}) {
        expect_refused("/groups/0/inputs/0", bad);
        expect_refused("/groups/0/output", bad);
        expect_refused("/values/2/alias_of", bad);
        expect_refused("/values/0/layout/order/0", bad);
    }
    for (const json &bad : {json(0.5), json(1e30), json(UINT64_MAX), json(true)}) {
        expect_refused("/groups/1/members/0/nest/parameters/vector", bad);
        expect_refused("/values/1/layout/halo/2/0", bad);
        expect_refused("/values/3/layout/block/size", bad);
    }
}

TEST(PlanJson, OrdersThatAreNoPermutationAreRefused) {
    for (const json &bad : {json({0, 0, 1, 2}), json({1, 2, 3, 4}), json({-1, 0, 1, 2})}) {
        expect_refused("/values/0/layout/order", bad);
    }
}

TEST(PlanJson, ImpossibleHalosAndBlocksAreRefused) {
    expect_refused("/values/1/layout/halo/2/0", -1);
    expect_refused("/values/1/layout/halo", json::array({{1, 1}}));
    expect_refused("/values/1/layout/halo/2", json::array({1}));
    expect_refused("/values/1/layout/fill", "highest");
    expect_refused("/values/3/layout/block/size", 0);
    expect_refused("/values/3/layout/block/axis", 2);
    expect_refused("/values/3/layout/block/axis", -1);
}

TEST(PlanJson, UnknownNamesOfEnumsAreRefused) {
    expect_refused("/groups/0/kind", "magic");
    expect_refused("/groups/1/members/0/parts/0/placement", "heap");
}

// Whatever one value of the text is replaced by, or if it is missing: an Error or a plan, no crash,
// and a wrong type is never taken for a right one.
TEST(PlanJson, EveryFieldSurvivesEveryWrongType) {
    const json good = json::parse(to_json(full_plan()));
    std::vector<json::json_pointer> paths;
    collect(good, json::json_pointer(), paths);
    const json wrong[] = {nullptr,       true,           -7,       3000000000, 0.5, "text",
                          json::array(), json::object(), {1, 2, 3}};
    for (const auto &path : paths) {
        for (const json &value : wrong) {
            json j = good;
            j[path] = value;
            const bool same_kind = value.type() == good[path].type() ||
                                   (value.is_number_integer() && good[path].is_number()) ||
                                   (value.is_number() && !path.empty() && path.back() == "fill");
            EXPECT_TRUE(!is_plan(j.dump()) || same_kind) << path << " = " << value;
        }
        if (!path.empty() && good[path.parent_pointer()].is_object()) {
            json j = good;
            j[path.parent_pointer()].erase(path.back());
            is_plan(j.dump());
        }
    }
}

TEST(PlanJson, DamagedTextIsRefusedOrAPlan) {
    const std::string good = to_json(full_plan());
    std::mt19937 engine(1);
    for (int round = 0; round < 3000; round++) {
        std::string text = good;
        for (unsigned n = 1 + engine() % 3; n > 0; n--) {
            text[engine() % text.size()] = static_cast<char>(engine() % 256);
        }
        is_plan(text);
    }
}

}  // namespace emulsion
