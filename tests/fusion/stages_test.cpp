#include "fusion/stages.h"

#include <gtest/gtest.h>

#include "fusion/place_members.h"
#include "tests/fusion/graphs.h"

namespace emulsion {

using test::GraphMaker;

TEST(Stages, AnEpilogueIsInTheStageOfItsReader) {
    GraphMaker m;
    const int x = m.relu("relu1", m.conv("conv1", m.input()));
    m.relu("relu2", m.conv("conv2", x));
    const ChosenGroup group{{0, 1, 2, 3}, {1}};
    const std::vector<int> stages = stages_of(m.graph, group);
    EXPECT_EQ(stages, (std::vector<int>{0, 0, 1, 1}));
    EXPECT_EQ(anchor_of(m.graph, group, stages, 0), 0);
    EXPECT_EQ(anchor_of(m.graph, group, stages, 1), 2);
}

TEST(Stages, WithoutAHeavyMemberTheLastOneIsTheAnchor) {
    GraphMaker m;
    m.relu("relu2", m.relu("relu1", m.input()));
    const ChosenGroup group{{0, 1}, {}};
    EXPECT_EQ(anchor_of(m.graph, group, stages_of(m.graph, group), 0), 1);
}

TEST(Stages, WhatTwoStagesReadIsInTheEarlierOne) {
    GraphMaker m;
    const int shared = m.relu("shared", m.input());
    const int first = m.conv("conv", shared);
    m.add("add", first, shared);
    EXPECT_EQ(stages_of(m.graph, {{0, 1, 2}, {1}}), (std::vector<int>{0, 0, 1}));
}

TEST(Stages, EveryStageHasOneLoopNestAndItsResultIsAPanel) {
    GraphMaker m;
    const int x = m.relu("relu1", m.conv("conv1", m.input()));
    m.relu("relu2", m.conv("conv2", x));
    const std::vector<PlannedMember> members = place_members(m.graph, {{0, 1, 2, 3}, {1}});
    ASSERT_EQ(members.size(), 4U);
    EXPECT_EQ(members[0].nest.template_name, "nest_of_conv1");
    EXPECT_TRUE(members[1].nest.empty());
    EXPECT_EQ(members[2].nest.template_name, "nest_of_conv2");
    EXPECT_EQ(members[1].parts.back().placement, Placement::Panel);
    EXPECT_EQ(members[3].parts.back().placement, Placement::Root);
    EXPECT_EQ(members[0].stage, 0);
    EXPECT_EQ(members[3].stage, 1);
}

}  // namespace emulsion
