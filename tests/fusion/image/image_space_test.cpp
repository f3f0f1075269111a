// Points of an image graph's space.
#include "fusion/image/image_space.h"

#include <gtest/gtest.h>

#include <set>

#include "fusion/error.h"
#include "fusion/image/decide.h"
#include "fusion/image/decisions_at.h"
#include "fusion/image/plan_images.h"
#include "fusion/image/suggested_points.h"
#include "fusion/random_nest.h"
#include "tests/fusion/image/chain_of_blurs.h"

namespace emulsion {

namespace {

const Nest kOpenPoint{"images", {}};

std::string plan_text(const ImageGraph &graph, const Nest &point) {
    const CpuMachine machine = machine_of_two_threads();
    return to_json(plan_images(machine, decisions_at(graph, machine, point)));
}

std::string refusal_at(const ImageGraph &graph, const std::map<std::string, int64_t> &parameters) {
    try {
        decisions_at(graph, machine_of_two_threads(), {"images", parameters});
    } catch (const Error &error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST(ImageSpace, ThePointThatSaysNothingIsWhatIsPlanned) {
    const ImageGraph graph = chain_of_row_blurs();
    const CpuMachine machine = machine_of_two_threads();
    EXPECT_EQ("", image_space(graph, machine).is_valid(kOpenPoint));
    const std::string planned = to_json(plan_images(graph, machine));
    EXPECT_EQ(planned, plan_text(graph, kOpenPoint));
    const Nest tiles = with_tiles(kOpenPoint, graph, decide_images(graph, machine));
    EXPECT_EQ("", image_space(graph, machine).is_valid(tiles));
    EXPECT_NE(kOpenPoint, tiles);
    EXPECT_EQ(planned, plan_text(graph, tiles));
}

TEST(ImageSpace, APointHasThePlacesTilesAndVectorsThatItNames) {
    const ImageGraph graph = chain_of_row_blurs();
    const CpuMachine machine = machine_of_two_threads();
    const auto place = static_cast<int64_t>(Placement::Root);
    const ImageDecisions decisions = decisions_at(
        graph, machine,
        {"images", {{"1.place", place}, {"1.block1", 24}, {"3.block0", 128}, {"3.vectors", 2}}});
    EXPECT_EQ(Placement::Root, decisions.placements[1]);
    for (const ImageGroup &group : decisions.groups) {
        if (group.root == 1) {
            EXPECT_EQ(24, group.shape.block[1]);
        }
        if (group.root == 3) {
            EXPECT_EQ(128, group.shape.block[0]);
        }
    }
    const Plan plan = plan_images(machine, decisions);
    EXPECT_EQ(2, plan.groups.back().members.back().nest.parameters.at("vectors"));
}

TEST(ImageSpace, WhatIsNoPointIsRefusedInASentence) {
    const ImageGraph graph = chain_of_row_blurs();
    EXPECT_EQ("loop nest 'images' has no parameter '7.place'", refusal_at(graph, {{"7.place", 0}}));
    EXPECT_NE("", refusal_at(graph, {{"3.place", 0}}));  // an output
    EXPECT_NE("", refusal_at(graph, {{"1.place", 3}}));
    EXPECT_NE("", refusal_at(graph, {{"1.place", 1}}));  // no sum
    EXPECT_NE("", refusal_at(graph, {{"3.block0", -1}}));
    EXPECT_NE("", refusal_at(graph, {{"3.block0", 1 << 20}}));
    EXPECT_NE("", refusal_at(graph, {{"3.vector", 3}}));
    EXPECT_NE("", refusal_at(graph, {{"3.rows", 2}}));
    EXPECT_EQ(
        "the tiles of stage 'out' keep rows that nothing reads",
        refusal_at(
            graph,
            {{"0.place", 4}, {"1.place", 4}, {"2.place", 4}, {"3.block1", 8}, {"3.slide", 1}}));
    try {
        decisions_at(graph, machine_of_two_threads(), {"tiles", {}});
        ADD_FAILURE();
    } catch (const Error &) {
    }
}

// Or is refused in one sentence.
TEST(ImageSpace, EveryPointHasAPlan) {
    const ImageGraph graph = chain_of_row_blurs();
    const NestSpace space = image_space(graph, machine_of_two_threads());
    int planned = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        SCOPED_TRACE(seed);
        std::mt19937_64 engine(seed);
        const Nest point = random_nest(space, kOpenPoint, engine);
        ASSERT_EQ("", space.is_valid(point));
        try {
            EXPECT_FALSE(plan_text(graph, point).empty());
            planned++;
        } catch (const Error &error) {
            EXPECT_EQ(std::string::npos, std::string(error.what()).find('\n'));
        }
    }
    EXPECT_GT(planned, 20);
}

TEST(SuggestedPoints, ArePointsThatDifferAndTheFirstHavePlans) {
    const ImageGraph graph = chain_of_row_blurs();
    const CpuMachine machine = machine_of_two_threads();
    const NestSpace around = space_around(graph, machine, kOpenPoint),
                    space = image_space(graph, machine);
    EXPECT_LT(around.parameters.size(), space.parameters.size());
    const std::vector<Nest> points = suggested_points(graph, machine, kOpenPoint, 30);
    EXPECT_GT(points.size(), 10U);
    std::set<std::string> plans;
    for (const Nest &point : points) {
        EXPECT_EQ("", space.is_valid(point));
        EXPECT_EQ("", around.is_valid(point));
        try {
            plans.insert(plan_text(graph, point));
        } catch (const Error &) {
        }
    }
    EXPECT_GT(plans.size(), points.size() / 2);
    EXPECT_EQ(points, suggested_points(graph, machine, kOpenPoint, 30));
}

}  // namespace emulsion
