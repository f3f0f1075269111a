#include "fusion/crossings.h"

#include <gtest/gtest.h>

#include "fusion/stages.h"
#include "tests/fusion/graphs.h"

namespace emulsion {

namespace {

using test::GraphMaker;

constexpr double kElements = 64.0 * 40 * 30;
const std::vector<int64_t> kCrossedImage{1, 64, 40, 30};
const std::vector<int> kRowMajor{0, 1, 2, 3}, kChannelsInnermost{0, 2, 3, 1};
constexpr int kCrossedChannels = 1, kColumns = 3;

class Crossings : public testing::Test {
protected:
    void lies(int value, const std::vector<int> &order) {
        m.graph.values.at(static_cast<size_t>(value)).order = order;
    }
    std::vector<Crossing> of(const PlacedGroup &group) const {
        const std::vector<int> stages = stages_of(m.graph, group);
        return crossings_of(m.graph, group, stages, anchors_of(m.graph, group, stages));
    }

    // Of an element-wise operator alone.
    Crossing of_relu(const std::vector<int> &operand, const std::vector<int> &result) {
        const int x = m.input(kCrossedImage);
        const int y = m.relu("relu", x);
        lies(x, operand);
        lies(y, result);
        return of({{static_cast<int>(m.graph.operators.size()) - 1}, {}}).front();
    }

    GraphMaker m;
};

}  // namespace

TEST_F(Crossings, NobodyCrossesWhereAllLieAlike) {
    for (const std::vector<int> &order : {kRowMajor, kChannelsInnermost}) {
        EXPECT_EQ(0.0, of_relu(order, order).elements);
    }
}

TEST_F(Crossings, AnElementWiseReaderTakesEachElementAlone) {
    const Crossing found = of_relu(kRowMajor, kChannelsInnermost);
    EXPECT_EQ(kElements, found.elements);
    EXPECT_EQ(kColumns, found.axis);
    // From one column to the next there are 64 channels, of which the cache keeps the lines.
    EXPECT_FALSE(found.far);
}

// Blocks are of 16 elements, rows of which are walked together with those outside of them.
TEST_F(Crossings, BlocksOfBothAxesAreTurned) {
    NestSpace nest;
    nest.crossing_parameter = "crossing";
    const auto turns = [&](int64_t channels, int64_t rows, int64_t columns) {
        GraphMaker maker;
        const int x = maker.input({1, channels, rows, columns});
        const int y = maker.relu("relu", x);
        maker.graph.values.at(static_cast<size_t>(x)).order = kChannelsInnermost;
        maker.graph.values.at(static_cast<size_t>(y)).order = kRowMajor;
        const PlacedGroup group{{0}, {}};
        const std::vector<int> stages = stages_of(maker.graph, group);
        const Crossing found =
            crossings_of(maker.graph, group, stages, anchors_of(maker.graph, group, stages))
                .front();
        EXPECT_FALSE(found.far);
        EXPECT_EQ(found.turns, computes_blocks(found, nest, {}, true));
        return found.turns;
    };
    EXPECT_TRUE(turns(64, 11, 11));
    EXPECT_TRUE(turns(16, 4, 4));
    EXPECT_TRUE(turns(67, 4, 4));     // blocks of 80
    EXPECT_FALSE(turns(8, 11, 11));   // less than one
    EXPECT_FALSE(turns(21, 11, 11));  // 32 for 21
    EXPECT_FALSE(turns(64, 30, 3));
}

// Planes of 112 x 112 floats are a multiple of 1 KB long: a first-level cache has four places for all 64 lines.
TEST_F(Crossings, ACacheLineIsFarWhereOthersDriveItOut) {
    const auto is_far = [](int64_t side) {
        GraphMaker m;
        const int x = m.input({1, 64, side, side});
        const int y = m.relu("relu", x);
        m.graph.values.at(static_cast<size_t>(x)).order = kRowMajor;
        m.graph.values.at(static_cast<size_t>(y)).order = kChannelsInnermost;
        const PlacedGroup group{{0}, {}};
        const std::vector<int> stages = stages_of(m.graph, group);
        return crossings_of(m.graph, group, stages, anchors_of(m.graph, group, stages)).front().far;
    };
    EXPECT_TRUE(is_far(112));
    EXPECT_FALSE(is_far(111));
}

TEST_F(Crossings, ACacheLineIsFarWhereThereIsMoreBetweenItsElementsThanTheCacheKeeps) {
    const Crossing found = of_relu(kChannelsInnermost, kRowMajor);
    EXPECT_EQ(kCrossedChannels, found.axis);
    EXPECT_TRUE(found.far);
}

// As where phases become rows: who reads the next channel isn't known. Sums over channels read it at once.
TEST_F(Crossings, NeighboursOfNoAxisAreFarUnlessOneElementReadsThem) {
    const int x = m.input(kCrossedImage);
    const int y = m.op("phases to space", MappingType::Shuffle, {x}, kCrossedImage);
    m.last().operands.front().reads = kElements;
    m.last().operands.front().footprint.axes = {{.axis = 0, .stride = 1},
                                                {.whole = true},
                                                {.axis = 2, .stride = 1},
                                                {.axis = 3, .stride = 1}};
    lies(x, kChannelsInnermost);
    lies(y, kRowMajor);
    const Crossing found = of({{0}, {}}).front();
    EXPECT_EQ(kElements, found.elements);
    EXPECT_EQ(-1, found.axis);
    EXPECT_TRUE(found.far);
    NestSpace nest;
    nest.crossing_parameter = "block";
    EXPECT_FALSE(computes_blocks(found, nest, {}, true));
    m.last().operands.front().reads = 64 * kElements;
    EXPECT_FALSE(of({{0}, {}}).front().far);
}

// A resized row, also through what is computed for each of its elements.
TEST_F(Crossings, VectorsThatTakeElementsFromAnywhereTakeThemOneByOne) {
    const int x = m.input(kCrossedImage);
    const int relu = m.relu("relu", x);
    const int y = m.op("resize", MappingType::ManyToMany, {relu}, kCrossedImage);
    m.last().operands.front().reads = 2.0 * kElements;
    std::vector<AxisReach> &axes = m.last().operands.front().footprint.axes;
    axes = {{.axis = 0, .stride = 1},
            {.axis = 1, .stride = 1},
            {.axis = 2, .stride = 1},
            {.whole = true, .gathered_along = 3}};
    for (const int value : {x, relu, y}) {
        lies(value, kRowMajor);
    }
    EXPECT_EQ(2.0 * kElements, of({{1}, {}}).front().elements);
    EXPECT_EQ(2.0 * kElements, of({{0, 1}, {}}).front().elements);
    // Vectors along another axis read neighbours.
    lies(y, kChannelsInnermost);
    lies(relu, kChannelsInnermost);
    EXPECT_EQ(0.0, of({{1}, {}}).front().elements);
}

TEST_F(Crossings, WhatIsInlinedCrossesAsOftenAsItIsComputed) {
    const int x = m.input(kCrossedImage);
    const int y = m.relu("relu", x);
    const int z = m.op("pool", MappingType::ManyToMany, {y});
    m.last().operands.front().reads = 9 * kElements;
    lies(x, kRowMajor);
    lies(y, kChannelsInnermost);
    lies(z, kChannelsInnermost);
    m.last().operands.front().footprint.axes[kCrossedChannels].whole = false;
    m.last().operands.front().footprint.axes[kCrossedChannels].window = 1;
    EXPECT_EQ(9 * kElements, of({{0, 1}, {}}).front().elements);
    // Kept, it is computed once.
    const std::vector<Crossing> kept = of({{0, 1}, {.wholes = {0}}});
    EXPECT_EQ(kElements, kept.front().elements);
    EXPECT_EQ(0.0, kept.back().elements);
}

TEST_F(Crossings, ConstantsAndBroadcastsAreNotCrossed) {
    const int x = m.input(kCrossedImage), scale = m.input({1, 64, 1, 1}),
              bias = m.constant(kCrossedImage);
    const int y = m.op("sum", MappingType::OneToOne, {x, scale, bias}, kCrossedImage);
    m.last().operands[1].footprint.axes = {{}, {.axis = 1, .stride = 1}, {}, {}};
    lies(x, kRowMajor);
    lies(scale, kRowMajor);
    lies(bias, kChannelsInnermost);
    lies(y, kRowMajor);
    EXPECT_EQ(0.0, of({{0}, {}}).front().elements);
}

TEST_F(Crossings, AnOperandOfWholeRowsIsCopiedOnce) {
    const int x = m.input(kCrossedImage);
    const int y = m.conv("conv", x);
    m.last().innermost_axis = kCrossedChannels;
    m.last().operands.front().innermost_axis = kCrossedChannels;
    lies(x, kRowMajor);
    lies(y, kChannelsInnermost);
    EXPECT_EQ(kElements, of({{0}, {}}).front().elements);
}

TEST_F(Crossings, ANestThatWritesAlongAnotherAxisCrossesItsResult) {
    const int x = m.input(kCrossedImage);
    const int y = m.relu("relu", m.conv("conv", x));
    m.graph.operators.front().implementation.innermost_axis = kCrossedChannels;
    m.graph.operators.front().implementation.operands.front().innermost_axis = kCrossedChannels;
    lies(x, kChannelsInnermost);
    lies(y, kRowMajor);
    const Crossing found = of({{0, 1}, {}}).front();
    EXPECT_EQ(kElements, found.elements);
    EXPECT_EQ(kColumns, found.axis);
    EXPECT_FALSE(found.far);
}

}  // namespace emulsion
