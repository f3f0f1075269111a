#include "fusion/preferred_layouts.h"

#include <gtest/gtest.h>

#include "fusion/preferred_orders.h"
#include "tests/fusion/graphs.h"

namespace emulsion {

namespace {

using Order = std::vector<int>;
using test::GraphMaker;

Layout of(const std::vector<Layout> &layouts, int value) {
    return layouts.at(static_cast<size_t>(value));
}

MoveWays free_ways(const OperatorGraph &graph) {
    return MoveWays(graph.operators.size(), MoveWay::Free);
}

}  // namespace

TEST(PreferredLayouts, TheAxisOfAProducersVectorsLiesInnermost) {
    GraphMaker m;
    const int y = m.conv("conv", m.input());
    m.last().innermost_axis = 1;
    const int z = m.relu("relu", y);
    const auto layouts = preferred_layouts(m.graph, preferred_orders(m.graph));
    EXPECT_EQ((Order{0, 2, 3, 1}), of(layouts, y).order);
    // The element-wise operator writes as it reads.
    EXPECT_EQ((Order{0, 2, 3, 1}), of(layouts, z).order);
}

TEST(PreferredLayouts, AnInputLiesAsItsFirstReaderThatCaresWants) {
    GraphMaker m;
    const int x = m.input();
    m.relu("relu", x);
    m.conv("conv", x);
    m.last().operands[0].innermost_axis = 2;
    m.conv("other", x);
    m.last().operands[0].innermost_axis = 1;
    EXPECT_EQ((Order{0, 1, 3, 2}),
              of(preferred_layouts(m.graph, preferred_orders(m.graph)), x).order);
}

TEST(PreferredLayouts, WhatOnlyReshapesReadStaysRowMajor) {
    GraphMaker m;
    const int y = m.conv("conv", m.input());
    m.last().innermost_axis = 1;
    m.op("flatten", MappingType::Reorganize, {y}, {1, 288});
    EXPECT_EQ(row_major(4), of(preferred_layouts(m.graph, preferred_orders(m.graph)), y));
}

TEST(PreferredLayouts, RowsThatWouldMeetInFewCacheSetsAreKeptALineApart) {
    const auto layout_with = [](std::vector<int64_t> extents) {
        GraphMaker m;
        const int y = m.op("conv", MappingType::ManyToMany, {m.input()}, std::move(extents));
        m.last().innermost_axis = 1;
        m.relu("relu", y);
        return of(preferred_layouts(m.graph, preferred_orders(m.graph)), y);
    };
    const Layout apart = layout_with({1, 512, 13, 13});
    EXPECT_EQ((std::vector<Margin>{{}, {0, 16}, {}, {}}), apart.around);
    EXPECT_EQ(528, buffer_dimensions({1, 512, 13, 13}, apart)[3].stride);
    EXPECT_EQ(int64_t{528} * 13 * 13, allocated_elements({1, 512, 13, 13}, apart));
    EXPECT_FALSE(layout_with({1, 500, 13, 13}).has_surroundings());
    EXPECT_FALSE(layout_with({1, 512, 1, 1}).has_surroundings());
}

TEST(PreferredLayouts, SlicesOfSpreadRowsLieInThem) {
    GraphMaker m;
    const int x = m.op("a", MappingType::ManyToMany, {m.input()}, {1, 256, 13, 13});
    m.last().innermost_axis = 1;
    const int y = m.op("concat", MappingType::OneToOne, {x, x}, {1, 512, 13, 13});
    std::vector<Slice> slices(m.graph.values.size());
    slices[static_cast<size_t>(x)] = {y, {0, 256, 0, 0}};
    const auto layouts = preferred_layouts(m.graph, preferred_orders(m.graph), slices);
    EXPECT_EQ((Margin{0, 16}), of(layouts, y).surroundings(1));
    EXPECT_EQ((Margin{256, 16}), of(layouts, x).surroundings(1));
}

TEST(PreferredLayouts, AHaloGoesAroundWhatATransposeReads) {
    GraphMaker m;
    const int x = m.conv("conv", m.input());
    const int y = m.transpose("transpose", x, {0, 2, 1, 3});
    m.conv("reader", y);
    m.last().operands[0].halo = {{}, {1, 2}, {}, {3, 4}};
    const auto slices = find_slices(m.graph, preferred_orders(m.graph, free_ways(m.graph)), true);
    const auto layouts =
        preferred_layouts(m.graph, preferred_orders(m.graph, free_ways(m.graph)), slices);
    EXPECT_EQ((std::vector<Margin>{{}, {}, {1, 2}, {3, 4}}), of(layouts, x).halo);
    EXPECT_EQ((std::vector<Margin>{{}, {1, 2}, {}, {3, 4}}), of(layouts, y).halo);
}

TEST(PreferredLayouts, AHaloCoversAllReadersOfOneFill) {
    GraphMaker m;
    const int x = m.input();
    m.conv("three", x);
    m.last().operands[0].halo = {{}, {}, {1, 1}, {0, 2}};
    m.conv("five", x);
    m.last().operands[0].halo = {{}, {}, {2, 0}, {1, 1}};
    m.op("pool", MappingType::ManyToMany, {x});
    m.last().operands[0].halo = {{}, {}, {9, 9}, {9, 9}};
    m.last().operands[0].fill = -1.0;
    const Layout l = of(preferred_layouts(m.graph, preferred_orders(m.graph)), x);
    EXPECT_EQ((std::vector<Margin>{{}, {}, {2, 1}, {1, 2}}), l.halo);
    EXPECT_EQ(0.0, l.fill);
}

TEST(PreferredLayouts, ConstantsStayAsTheCallerHasThem) {
    GraphMaker m;
    const int w = m.constant({8, 8, 3, 3});
    m.op("conv", MappingType::ManyToMany, {m.input(), w});
    m.last().operands[1].halo = {{}, {}, {1, 1}, {1, 1}};
    m.last().operands[1].innermost_axis = 0;
    EXPECT_EQ(row_major(4), of(preferred_layouts(m.graph, preferred_orders(m.graph)), w));
}

TEST(PreferredLayouts, ScalarsHaveOne) {
    GraphMaker m;
    const int y = m.relu("relu", m.relu("first", m.input({})));
    EXPECT_EQ(row_major(0), of(preferred_layouts(m.graph, preferred_orders(m.graph)), y));
}

TEST(DenseRowMajor, AxesOfExtentOneDoNotMatter) {
    Layout nhwc = row_major(4);
    nhwc.order = {0, 2, 3, 1};
    EXPECT_TRUE(is_dense_row_major({1, 8, 1, 1}, nhwc));
    EXPECT_TRUE(is_dense_row_major({2, 1, 3, 3}, nhwc));
    EXPECT_FALSE(is_dense_row_major({1, 8, 2, 1}, nhwc));
    Layout halo = row_major(2);
    halo.halo = {{0, 0}, {1, 0}};
    EXPECT_FALSE(is_dense_row_major({4, 4}, halo));
    Layout blocked = row_major(1);
    blocked.block_axis = 0;
    blocked.block = 4;
    EXPECT_FALSE(is_dense_row_major({8}, blocked));
    EXPECT_TRUE(is_dense_row_major({}, row_major(0)));
}

// What kernels of a GPU rely on: vectors of four begin at multiples of four.
TEST(AlignedLayouts, RowsWithAHaloOrSlicesAreLengthened) {
    GraphMaker m;
    const int x = m.op("a", MappingType::ManyToMany, {m.input()}, {1, 18, 13, 13});
    m.last().innermost_axis = 1;
    m.conv("reader", x);
    m.last().operands[0].innermost_axis = 1;
    m.last().operands[0].halo = {{}, {}, {1, 1}, {1, 1}};
    const Layout l = of(preferred_layouts(m.graph, preferred_orders(m.graph), {}, 4), x);
    EXPECT_EQ((Margin{0, 2}), l.surroundings(1));
    EXPECT_EQ(0, interior_offset({1, 18, 13, 13}, l) % 4);
    const Layout of_cpu = of(preferred_layouts(m.graph, preferred_orders(m.graph)), x);
    EXPECT_FALSE(of_cpu.has_surroundings());
}

TEST(AlignedLayouts, AHaloAlongTheRowIsWidenedToWholeVectors) {
    GraphMaker m;
    const int x = m.relu("a", m.input({1, 2, 5, 8}));
    m.conv("reader", x);
    m.last().operands[0].innermost_axis = 3;
    m.last().operands[0].halo = {{}, {}, {}, {1, 1}};
    const Layout l = of(preferred_layouts(m.graph, preferred_orders(m.graph), {}, 4), x);
    EXPECT_EQ((Margin{4, 1}), l.margin(3));
    EXPECT_EQ(0, interior_offset({1, 2, 5, 8}, l) % 4);
    EXPECT_EQ(16, buffer_dimensions({1, 2, 5, 8}, l)[2].stride);
}

TEST(AlignedLayouts, AConcatenationOfOddPartsIsNoPlaceForThem) {
    for (const int64_t channels : {16, 18}) {
        GraphMaker m;
        const int a = m.op("a", MappingType::ManyToMany, {m.input()}, {1, channels, 5, 5});
        m.last().innermost_axis = 1;
        const int b = m.op("b", MappingType::ManyToMany, {m.input()}, {1, 14, 5, 5});
        m.last().innermost_axis = 1;
        const int y = m.concat("concat", {a, b}, 1);
        m.conv("reader", y);
        m.last().operands[0].innermost_axis = 1;
        const auto orders = preferred_orders(m.graph);
        const auto slices = find_slices(m.graph, orders, true);
        const auto layouts = preferred_layouts(m.graph, orders, slices, 4);
        const std::vector<int> odd = misaligned_slices(m.graph, slices, layouts, 4);
        EXPECT_EQ(channels == 16 ? std::vector<int>{} : std::vector<int>{2}, odd);
        EXPECT_TRUE(misaligned_slices(m.graph, slices, layouts, 1).empty());
        if (!odd.empty()) {
            const auto without = find_slices(m.graph, orders, true, {false, false, true});
            EXPECT_EQ(-1, without.at(static_cast<size_t>(a)).whole);
            EXPECT_TRUE(misaligned_slices(m.graph, without,
                                          preferred_layouts(m.graph, orders, without, 4), 4,
                                          {false, false, true})
                            .empty());
        }
    }
}

}  // namespace emulsion
