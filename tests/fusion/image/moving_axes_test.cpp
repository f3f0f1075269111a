#include "fusion/image/moving_axes.h"

#include <gtest/gtest.h>

namespace emulsion {

namespace {

ImageStage stage_of(int producer, const std::vector<Tap> &taps) {
    ImageRead read;
    read.producer = producer;
    read.taps = taps;
    Definition definition;
    definition.free = {true, true, true};
    definition.reads = {read};
    ImageStage stage;
    stage.extents = {100, 50, 3};
    stage.definitions = {definition};
    return stage;
}

const Tap kHere{{0, 1, 0, ""}, {1, 1, 0, ""}, {2, 1, 0, ""}};

// The first stage, read by the second one, which is inlined into the third, of which a tile is of `block`.
bool moves(const std::vector<Tap> &taps, const std::vector<int64_t> &block, int axis,
           bool sweep = false) {
    const ImageGraph graph{{stage_of(-1, {}), stage_of(0, {kHere}), stage_of(1, taps)}};
    ImageGroup group;
    group.root = 2;
    group.members = {0};
    group.shape.block = block;
    group.shape.sweep = sweep;
    return moves_with_tiles(graph, {Placement::Panel, Placement::Inline, Placement::Root}, group, 0,
                            axis);
}

}  // namespace

TEST(MovingAxes, AreThoseThatTilesCut) {
    EXPECT_TRUE(moves({kHere}, {0, 8, 0}, 1));
    EXPECT_FALSE(moves({kHere}, {0, 8, 0}, 0));
    EXPECT_FALSE(moves({kHere}, {0, 8, 0}, 2));
    EXPECT_TRUE(moves({kHere}, {0, 8, 1}, 2));
}

TEST(MovingAxes, AreWhereTheyAreReadFrom) {
    const Tap turned{{1, 1, 0, ""}, {0, 1, 0, ""}, {-1, 1, 2, ""}};
    EXPECT_TRUE(moves({turned}, {0, 8, 0}, 0));
    EXPECT_FALSE(moves({turned}, {0, 8, 0}, 1));
    EXPECT_FALSE(moves({turned}, {0, 8, 1}, 2));
    EXPECT_TRUE(moves({turned, kHere}, {0, 8, 1}, 2));
}

TEST(MovingAxes, DependOnWhateverAnIndexIsMadeOf) {
    const Tap mirrored{{0, 1, 0, ""}, {1, 1, 0, ""}, {-1, 1, 0, "abs(y - 1)", uint64_t{1} << 1}};
    EXPECT_TRUE(moves({mirrored}, {0, 1, 0}, 2));
    EXPECT_FALSE(moves({mirrored}, {32, 0, 0}, 2));
}

TEST(MovingAxes, DependOnReductionLoopsThatMembersAreComputedIn) {
    const Tap of_loop{{0, 1, 0, ""}, {1, 1, 0, ""}, {-1, 1, 0, "r"}};
    EXPECT_FALSE(moves({of_loop}, {0, 8, 0}, 2));
    EXPECT_TRUE(moves({of_loop}, {0, 8, 0}, 2, true));
}

}  // namespace emulsion
