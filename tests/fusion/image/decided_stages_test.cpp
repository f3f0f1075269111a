#include "fusion/image/decided_stages.h"

#include <gtest/gtest.h>

#include "fusion/image/stage_facts.h"

namespace emulsion {

namespace {

ImageStage stage_of(const std::string &name, const std::vector<int> &reads) {
    ImageStage stage;
    stage.name = name;
    stage.extents = {64, 64};
    stage.definitions.emplace_back();
    for (const int producer : reads) {
        ImageRead read;
        read.producer = producer;
        stage.definitions.back().reads.push_back(read);
    }
    return stage;
}

// first <- middle (inlined) <- left, right; left and right are roots of groups.
DecidedStages two_groups() {
    ImageGraph graph;
    graph.stages = {stage_of("first", {-1}), stage_of("middle", {0}), stage_of("left", {1}),
                    stage_of("right", {1})};
    DecidedStages stages(graph);
    stages.placement(1) = Placement::Inline;
    for (const int root : {2, 3}) {
        stages.placement(root) = Placement::Root;
        stages.groups()[root] = {root, {}, {}, 0.0};
    }
    return stages;
}

std::vector<std::string> readers_of(const DecidedStages &stages, const std::string &name) {
    std::vector<std::string> readers;
    for (int i = 0; i < stages.size(); i++) {
        if (reads(stages.stage(i), stages.find(name))) {
            readers.push_back(stages.stage(i).name);
        }
    }
    return readers;
}

using Names = std::vector<std::string>;

}  // namespace

TEST(DecidedStages, AreReadThroughInlinedOnes) {
    const DecidedStages stages = two_groups();
    EXPECT_EQ((std::set<int>{2, 3}), stages.groups_reading(0));
    EXPECT_EQ((StageReaders{{2, {0}}, {3, {0}}}), stages.stored_readers(0));
}

TEST(DecidedStages, CopyWhatLiesBetweenAStageAndItsGroup) {
    DecidedStages stages = two_groups();
    EXPECT_TRUE(stages.can_copy(0, 3));
    EXPECT_EQ(1, stages.copy_for(0, "right"));
    ASSERT_EQ(6, stages.size());
    EXPECT_EQ("first", stages.stage(1).copy_of);
    EXPECT_EQ(Names{"middle"}, readers_of(stages, "first"));
    EXPECT_EQ(Names{"middle for right"}, readers_of(stages, "first for right"));
    EXPECT_EQ(Names{"left"}, readers_of(stages, "middle"));
    EXPECT_EQ(Names{"right"}, readers_of(stages, "middle for right"));
    EXPECT_EQ(std::set<int>{stages.find("right")}, stages.groups_reading(1));
    EXPECT_EQ(Placement::Inline, stages.placement(stages.find("middle for right")));
    EXPECT_EQ(1U, stages.groups().count(stages.find("left")));
    EXPECT_EQ(stages.find("right"), stages.group_of(stages.find("right")));
}

// Halide refuses to make another copy of a Func that has one.
TEST(DecidedStages, CopyAStageOnce) {
    DecidedStages stages = two_groups();
    stages.copy_for(1, "right");
    EXPECT_FALSE(stages.can_copy(1, stages.find("left")));
    EXPECT_TRUE(stages.can_copy(0, stages.find("left")));
}

TEST(DecidedStages, CopyNoTuples) {
    ImageGraph graph = two_groups().graph();
    graph.stages[1].is_tuple = true;
    DecidedStages stages(graph);
    stages.placement(1) = Placement::Inline;
    for (const int root : {2, 3}) {
        stages.placement(root) = Placement::Root;
        stages.groups()[root] = {root, {}, {}, 0.0};
    }
    EXPECT_FALSE(stages.can_copy(1, 3));
    EXPECT_FALSE(stages.can_copy(0, 3));
}

TEST(DecidedStages, CopyNothingForSumsThatMayBeCutIntoParts) {
    ImageGraph graph = two_groups().graph();
    graph.stages[3].definitions.push_back(graph.stages[3].definitions.front());
    graph.stages[3].definitions.back().adds_up = true;
    DecidedStages stages(graph);
    for (const int root : {1, 2, 3}) {
        stages.placement(root) = Placement::Root;
        stages.groups()[root] = {root, {}, {}, 0.0};
    }
    EXPECT_TRUE(stages.can_copy(1, 2));
    EXPECT_FALSE(stages.can_copy(1, 3));
}

}  // namespace emulsion
