#include "fusion/preferred_orders.h"

#include <gtest/gtest.h>

#include "fusion/slices.h"
#include "tests/fusion/graphs.h"

namespace emulsion {

namespace {

using Order = std::vector<int>;
using test::GraphMaker;

Layout layout_at(const std::vector<Layout> &layouts, int value) {
    return layouts.at(static_cast<size_t>(value));
}

MoveWays all_free(const OperatorGraph &graph) {
    return MoveWays(graph.operators.size(), MoveWay::Free);
}

}  // namespace

TEST(PreferredOrders, ATransposedValueLiesAsItsOperandDoes) {
    GraphMaker m;
    const int x = m.conv("conv", m.input());
    m.last().innermost_axis = 1;
    const int y = m.transpose("transpose", x, {0, 2, 3, 1});
    m.relu("relu", y);
    EXPECT_EQ((Order{0, 1, 2, 3}),
              preferred_orders(m.graph, all_free(m.graph)).at(static_cast<size_t>(y)).order);
    EXPECT_EQ(2, find_slices(m.graph, preferred_orders(m.graph, all_free(m.graph)), true)
                     .at(static_cast<size_t>(y))
                     .axis_of_whole(1));
}

// As the results of Winograd's inverse transform lie: channels of tiles innermost.
TEST(PreferredOrders, AWindowOverAValueOfAnotherRankLiesAsTheValueDoes) {
    GraphMaker m;
    const int tiles = m.relu("tiles", m.input({16, 1, 4, 4, 8}));
    const int image = m.op("image", MappingType::ManyToMany, {tiles}, {1, 8, 8, 8});
    Operand &operand = m.last().operands[0];
    operand.footprint.axes.assign(5, {.whole = true});
    operand.footprint.axes[4] = {.axis = 1, .stride = 1};
    const int result = m.relu("relu", image);
    m.relu("reader", result);
    const auto orders = preferred_orders(m.graph);
    EXPECT_EQ((Order{0, 2, 3, 1}), layout_at(orders, image).order);
    EXPECT_EQ((Order{0, 2, 3, 1}), layout_at(orders, result).order);
    m.graph.operators[1].implementation.operands[0].footprint.axes[4].stride = 2;
    EXPECT_EQ((Order{0, 1, 2, 3}), layout_at(preferred_orders(m.graph), image).order);
}

TEST(PreferredOrders, AReaderThatRunsAlongAnotherAxisGetsATransposedCopy) {
    GraphMaker m;
    const int x = m.conv("conv", m.input());
    m.last().innermost_axis = 1;
    const int y = m.transpose("transpose", x, {0, 2, 3, 1});
    m.conv("reader", y);
    m.last().operands[0].innermost_axis = 1;
    const auto orders = preferred_orders(m.graph, all_free(m.graph));
    EXPECT_EQ((Order{0, 2, 3, 1}), layout_at(orders, y).order);
    EXPECT_EQ(-1, find_slices(m.graph, orders, true).at(static_cast<size_t>(y)).whole);
}

TEST(PreferredOrders, WhatATransposeWritesForReshapesIsWrittenThereIfVectorsRunAsBefore) {
    const auto operand_order = [](const std::vector<int> &axes) {
        GraphMaker m;
        const int x = m.conv("conv", m.input());
        m.last().innermost_axis = 3;
        const int y = m.transpose("transpose", x, axes);
        m.op("flatten", MappingType::Reorganize, {y}, {1, 288});
        return preferred_orders(m.graph, all_free(m.graph)).at(static_cast<size_t>(x)).order;
    };
    EXPECT_EQ((Order{0, 2, 1, 3}), operand_order({0, 2, 1, 3}));
    EXPECT_EQ((Order{0, 1, 2, 3}), operand_order({0, 1, 3, 2}));
}

TEST(PreferredOrders, AReshapeThatKeepsChannelsPassesOnThatTheyLieInnermost) {
    GraphMaker m;
    const int x = m.op("conv", MappingType::ManyToMany, {m.input()}, {1, 64, 13, 13});
    m.last().innermost_axis = 1;
    const int flat = m.op("flatten", MappingType::Reorganize, {x}, {1, 64, 169});
    m.op("product", MappingType::ManyToMany, {flat}, {1, 64, 169});
    m.last().operands[0].innermost_axis = 1;
    const auto orders = preferred_orders(m.graph, all_free(m.graph));
    EXPECT_EQ((Order{0, 2, 3, 1}), layout_at(orders, x).order);
    EXPECT_EQ((Order{0, 2, 1}), layout_at(orders, flat).order);
    // Where it moves elements, it reads what lies as the flattened order.
    EXPECT_EQ(row_major(4), layout_at(preferred_orders(m.graph), x));
}

TEST(PreferredOrders, AReshapeThatSplitsTheInnermostAxisReadsRowMajor) {
    GraphMaker m;
    const int x = m.op("conv", MappingType::ManyToMany, {m.input()}, {1, 64, 13, 13});
    m.last().innermost_axis = 1;
    const int parts = m.op("split", MappingType::Reorganize, {x}, {1, 4, 16, 169});
    m.op("product", MappingType::ManyToMany, {parts}, {1, 64, 169});
    m.last().operands[0].innermost_axis = 1;
    EXPECT_EQ(row_major(4), layout_at(preferred_orders(m.graph, all_free(m.graph)), x));
}

TEST(PreferredOrders, AResultForTheCallerThatIsConvertedLiesAsItsOperatorLikes) {
    GraphMaker m;
    const int x = m.conv("inner", m.input());
    m.last().innermost_axis = 3;
    const int y = m.relu("relu", m.conv("conv", x));
    m.graph.operators[1].implementation.innermost_axis = 1;
    m.output(y);
    EXPECT_EQ(row_major(4), layout_at(preferred_orders(m.graph, all_free(m.graph)), y));
    const MoveWays converted(m.graph.operators.size(), MoveWay::Converted);
    EXPECT_EQ((Order{0, 2, 3, 1}), layout_at(preferred_orders(m.graph, converted), y).order);
    // What others read lies as before.
    EXPECT_EQ(row_major(4), layout_at(preferred_orders(m.graph, converted), x));
}

TEST(PreferredOrders, ANaturalOrderIsTheCallersLayout) {
    GraphMaker m;
    const int x = m.input({3, 4});
    m.graph.values.back().natural_order = {1, 0};
    EXPECT_EQ((Order{1, 0}), caller_layout(m.graph.values[static_cast<size_t>(x)]).order);
}

}  // namespace emulsion
