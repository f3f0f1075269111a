#include "fusion/stages.h"

#include <gtest/gtest.h>

#include "fusion/place_members.h"
#include "fusion/preferred_orders.h"
#include "tests/fusion/graphs.h"

namespace emulsion {

using test::GraphMaker;

TEST(Stages, AnEpilogueIsInTheStageOfItsReader) {
    GraphMaker m;
    const int x = m.relu("relu1", m.conv("conv1", m.input()));
    m.relu("relu2", m.conv("conv2", x));
    const PlacedGroup group{{0, 1, 2, 3}, {.panels = {1}}};
    const std::vector<int> stages = stages_of(m.graph, group);
    EXPECT_EQ(stages, (std::vector<int>{0, 0, 1, 1}));
    EXPECT_EQ(anchors_of(m.graph, group, stages), (std::vector<int>{0, 2}));
}

TEST(Stages, WithoutAHeavyMemberTheLastOneIsTheAnchor) {
    GraphMaker m;
    m.relu("relu2", m.relu("relu1", m.input()));
    const PlacedGroup group{{0, 1}, {}};
    EXPECT_EQ(anchors_of(m.graph, group, stages_of(m.graph, group)), (std::vector<int>{1}));
}

TEST(Stages, WhatTwoStagesReadIsInTheEarlierOne) {
    GraphMaker m;
    const int shared = m.relu("shared", m.input());
    const int first = m.conv("conv", shared);
    m.add("add", first, shared);
    EXPECT_EQ(stages_of(m.graph, {{0, 1, 2}, {.panels = {1}}}), (std::vector<int>{0, 0, 1}));
}

TEST(Stages, APanelAndAWholeValueHaveLoopNestsOfTheirOwn) {
    GraphMaker m;
    const int x = m.relu("relu1", m.conv("conv1", m.input()));
    m.relu("relu2", m.conv("conv2", m.conv("conv3", x)));
    PlacedGroup group{{0, 1, 2, 3, 4}, {.panels = {2}, .wholes = {1}, .rows = 4, .cut = {{2}}}};
    group.placement.serial = {1};
    for (Value &value : m.graph.values) {
        value.order = caller_layout(value).order;
    }
    const std::vector<PlannedMember> members = place_members(m.graph, group);
    ASSERT_EQ(members.size(), 5U);
    EXPECT_EQ(members[0].nest.template_name, "nest_of_conv1");
    EXPECT_EQ(members[0].nest.parameters.at("serial"), 1);
    EXPECT_TRUE(members[1].nest.empty());
    EXPECT_EQ(members[2].nest.template_name, "nest_of_conv3");
    EXPECT_EQ(members[3].nest.parameters.at("task_rows"), 4);
    EXPECT_EQ(members[1].parts.back().placement, Placement::Whole);
    EXPECT_EQ(members[1].order.size(), 4U);
    EXPECT_EQ(members[2].parts.back().placement, Placement::Panel);
    EXPECT_EQ(members[2].cut, (std::vector<int>{2}));
    EXPECT_EQ(members[4].parts.back().placement, Placement::Root);
    EXPECT_EQ(members[0].stage, 0);
    EXPECT_EQ(members[2].stage, 1);
    EXPECT_EQ(members[4].stage, 2);
}

}  // namespace emulsion
