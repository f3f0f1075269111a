#include "fusion/cost/placed_cost.h"

#include <gtest/gtest.h>

#include "fusion/cost/placement_rules.h"
#include "fusion/cost/placements.h"
#include "tests/fusion/graphs.h"

namespace emulsion {

namespace {

using test::GraphMaker;

constexpr int kRowsOfImage = 2, kColumnAxis = 1;

// Two convolutions of 64 channels, the second one with a window of `window` rows. Their loop nests cut
// rows, and run vectors along channels.
class PlacedCost : public testing::Test {
protected:
    void make(int64_t window, int64_t size = 32, int64_t stride = 1) {
        const std::vector<int64_t> image{1, 64, size, size};
        const std::vector<int64_t> result{1, 64, size / stride, size / stride};
        first = add("first", m.input(image), image, 1, 1);
        second = add("second", first, result, window, stride);
        m.output(second);
    }

    int add(const std::string &name, int x, const std::vector<int64_t> &extents, int64_t window,
            int64_t stride) {
        const int w = m.constant({64, 64, window, window});
        const int value = m.op(name, MappingType::ManyToMany, {x, w}, extents);
        ImplementationChoice &choice = m.last();
        choice.vector_operations = 1e6 * machine.operations_per_cycle;
        const AxisReach moving{.axis = kRowsOfImage, .stride = stride, .window = window};
        AxisReach along = moving;
        along.axis = 3;
        choice.operands[0].footprint = {{{.axis = 0, .stride = 1}, {.whole = true}, moving, along}};
        return value;
    }

    std::string refusal() const { return unplaceable_because(m.graph, kPanel, machine); }
    GroupPrice price(int64_t rows) const {
        return placed_price(m.graph, kPanel, {{rows, true}}, machine);
    }

    const PlacedGroup kPanel{{0, 1}, {.panels = {0}}};
    // One core without caches, queues and starts to pay for: arithmetic alone.
    CpuMachine machine{.threads = 1,
                       .private_bytes_per_cycle = 1e12,
                       .shared_bytes_per_cycle = 1e12,
                       .memory_bytes_per_cycle = 1e12,
                       .task_cycles = 0.0,
                       .region_cycles = 0.0,
                       .launch_cycles = 0.0};
    GraphMaker m;
    int first = -1, second = -1;
};

}  // namespace

TEST_F(PlacedCost, APointwiseReaderComputesNothingTwice) {
    make(1);
    EXPECT_EQ(refusal(), "");
    EXPECT_NEAR(price(1).cycles, 2e6, 1.0);
    EXPECT_NEAR(price(4).cycles, 2e6, 1.0);
    EXPECT_EQ(price(4).placement.cut, (std::vector<std::vector<int>>{{kRowsOfImage}}));
}

TEST_F(PlacedCost, AWindowRecomputesTheRowsBetweenPanels) {
    make(3);
    EXPECT_NEAR(price(4).cycles, 1e6 + 1e6 * (8 * 6) / 32.0, 1.0);
    EXPECT_NEAR(price(1).cycles, 1e6 + 1e6 * 3, 1.0);
}

TEST_F(PlacedCost, AWindowAsWideAsItsStrideOverlapsNothing) {
    make(2, 32, 2);
    EXPECT_NEAR(price(2).cycles, 2e6, 1.0);
}

TEST_F(PlacedCost, APanelMoreThanTheCoresTakeAtOnceIsAnotherRound) {
    make(1);
    machine.threads = 2;
    EXPECT_NEAR(price(16).cycles, 1e6, 1.0);
    EXPECT_NEAR(price(11).cycles, 2.0 * 2e6 * 11 / 32, 1.0);
}

TEST_F(PlacedCost, AThreadThatIsAloneWakesNobody) {
    make(1);
    machine.region_cycles = 1e9;
    EXPECT_NEAR(price(4).cycles, 2e6, 1.0);
    machine.threads = 2;
    m.last().nest.panels.serial.clear();
    EXPECT_GT(price(4).cycles, 1e9);
    machine.threads = 1;
    machine.task_cycles = 2000.0;  // of eight tasks, which take their turns
    EXPECT_NEAR(price(4).cycles, 2e6 + 8 * machine.task_start(), 1.0);
    EXPECT_LT(machine.task_start(), machine.task_cycles);
}

// What it reads others have written, and what it writes others will read.
TEST_F(PlacedCost, ACoreThatIsAloneReadsAndWritesByWayOfTheSharedCache) {
    make(1);
    machine.private_bytes_per_cycle = 32.0;
    machine.shared_bytes_per_cycle = 8.0;
    const PlacedGroup alone{{0}, {}};
    const auto cycles = [&](int threads, double imbalance) {
        machine.threads = threads;
        ImplementationChoice &choice = m.graph.operators.front().implementation;
        choice.vector_operations = 0.0;
        choice.nest.points = {NestPoint()};
        choice.nest.points.front().estimate.imbalance = imbalance;
        return placed_price(m.graph, alone, {{}}, machine).cycles;
    };
    constexpr double kBytes = 2.0 * 64 * 32 * 32 * 4;
    const double constants = 64.0 * 64 * 4 / 8.0;
    EXPECT_NEAR(kBytes / 32.0 + constants, cycles(1, 1.0), 1.0);
    EXPECT_NEAR((kBytes / 32.0 + constants) / 2.0, cycles(2, 1.0), 1.0);
    EXPECT_NEAR(kBytes / 8.0 + constants, cycles(2, 2.0), 1.0);
}

TEST_F(PlacedCost, APanelLeavesRoomInTheCaches) {
    make(1, 4096);  // rows of 1 MiB
    EXPECT_EQ(refusal(), "");
    machine.l3_bytes = 2 << 20;
    EXPECT_EQ(refusal(), "");
    machine.l3_bytes--;
    EXPECT_NE(refusal().find("leaves no room in the caches"), std::string::npos);
    machine.l3_bytes = 2 << 20;
    machine.threads = 2;  // each with panels of its own
    EXPECT_NE(refusal().find("leaves no room in the caches"), std::string::npos);
}

TEST_F(PlacedCost, WhatLeavesThePrivateCacheGoesThroughTheSharedOneTwice) {
    make(1, 256);
    machine.shared_bytes_per_cycle = 0.01;  // more cycles than the arithmetic has
    const double through = 2.0 * 64 * 256 * 256 * 4 / machine.shared_bytes_per_cycle;
    const auto with_cache_of = [&](double rows) {
        machine.l2_bytes = static_cast<int64_t>(rows * 64 * 256 * 4);
        return price(4).cycles;
    };
    const double none = with_cache_of(8.0);  // panels of 4 rows may fill half of it
    EXPECT_NEAR(with_cache_of(4.0) - none, through, 0.01 * through);
    EXPECT_NEAR(with_cache_of(2.0) - none, through, 0.01 * through);
    const double some = with_cache_of(6.0);
    EXPECT_GT(some, none);
    EXPECT_LT(some, none + through);
}

TEST_F(PlacedCost, RowsThatPanelsShareGoThroughTheSharedCacheOnce) {
    make(3, 512);
    m.last().nest.panels.task_parameter = "task_panels";
    machine.shared_bytes_per_cycle = 0.01;
    machine.l2_bytes = 3 * 64 * 512 * 4;  // what a row of the result reads
    const auto cycles = [&](int64_t panels) {
        return placed_price(m.graph, kPanel, {{1, true, panels}}, machine).cycles;
    };
    EXPECT_NEAR(cycles(1) / cycles(512), 3.0, 0.05);
}

TEST_F(PlacedCost, TheRootNeedsRows) {
    make(1);
    m.last().nest.panels = {};
    EXPECT_EQ(refusal(), "loop nest 'nest_of_second' has no rows to compute panels at");
}

TEST_F(PlacedCost, TheVectorsOfAProducerAreNotCut) {
    make(1);
    // The rows of the reader are the columns of the producer.
    m.last().operands[0].footprint.axes[kColumnAxis] = {.axis = kRowsOfImage, .stride = 1};
    m.last().operands[0].footprint.axes[kRowsOfImage] = {.whole = true};
    EXPECT_NE(refusal().find("computes tiles"), std::string::npos);
}

TEST_F(PlacedCost, SumsAreNotComputedWhereTheyAreRead) {
    make(1);
    EXPECT_NE(unplaceable_because(m.graph, {{0, 1}, {}}, machine).find("loop nest of its own"),
              std::string::npos);
}

TEST_F(PlacedCost, PanelsOfATaskShareTheRowsThatTheyHaveInCommon) {
    make(3);
    m.last().nest.panels.task_parameter = "task_panels";
    const GroupPrice all = placed_price(m.graph, kPanel, {{1, true, 32}}, machine);
    EXPECT_EQ(all.refused, "");
    EXPECT_EQ(all.placement.task_panels, 32);
    EXPECT_NEAR(all.cycles, 2e6, 1.0);
    const GroupPrice half = placed_price(m.graph, kPanel, {{1, true, 16}}, machine);
    EXPECT_NEAR(half.cycles, 1e6 + 1e6 * (2 * 18) / 32.0, 1.0);
}

TEST_F(PlacedCost, SharedRowsLieInARingOfAPowerOfTwo) {
    make(3);
    // Three rows of 8 KiB are needed, four are kept.
    machine.l2_bytes = 2 * 4 * 8192;
    machine.l3_bytes = 0;
    EXPECT_EQ(placed_price(m.graph, kPanel, {{1, true, 32}}, machine).refused, "");
    machine.l2_bytes--;
    EXPECT_NE(placed_price(m.graph, kPanel, {{1, true, 32}}, machine).refused, "");
    EXPECT_EQ(placed_price(m.graph, kPanel, {{1, true, 1}}, machine).refused, "");
}

TEST_F(PlacedCost, ALargeValueIsNotKeptWhole) {
    make(1);
    EXPECT_EQ(unplaceable_because(m.graph, {{0, 1}, {.wholes = {0}}}, machine),
              "values of 262144 bytes, kept whole, leave no room in the private cache");
}

TEST(Placements, TheGateOfSqueezeExciteIsKeptWholeAndItsProductInPanels) {
    GraphMaker m;
    const std::vector<int64_t> image{1, 64, 28, 28}, pixel{1, 64, 1, 1};
    const int x = m.input(image);
    const int pooled = m.op("pool", MappingType::ManyToMany, {x}, pixel);
    m.last().operands[0].footprint = {};
    m.last().nest.panels.row_axis = -1;
    const int gate = m.relu("sigmoid", m.op("expand", MappingType::ManyToMany, {pooled}, pixel));
    const int scaled = m.op("mul", MappingType::OneToOne, {x, gate}, image);
    m.last().operands[1].type = MappingType::OneToMany;
    m.last().operands[1].footprint = {};
    m.output(m.op("project", MappingType::ManyToMany, {scaled, m.constant({64, 64})}, image));
    m.last().operands[0].footprint.axes[kRowsOfImage].window = 1;
    m.last().operands[0].footprint.axes[3].window = 1;
    const GroupPrice price = best_placement(m.graph, {0, 1, 2, 3, 4}, CpuMachine{.threads = 2});
    EXPECT_EQ(price.refused, "");
    EXPECT_EQ(price.placement.wholes, (std::vector<int>{0, 2}));
    EXPECT_EQ(price.placement.panels, (std::vector<int>{3}));
}

// A loop nest that cuts an image into rows says nothing about a result of other axes that reads the image.
TEST(Placements, ALoopNestsRowsAreOnlyThoseOfItsOwnAxes) {
    for (const bool outer : {false, true}) {
        GraphMaker m;
        const std::vector<int64_t> image{1, 4, 6, 6};
        const int sum = m.op("sum", MappingType::ManyToMany, {m.input(image)}, image);
        PanelLoops &loops = m.last().nest.panels;
        loops.row_axis = outer ? 0 : 2;
        loops.outer_axes = {outer ? 3 : 0};
        loops.is_panel = true;
        m.output(m.op("mean", MappingType::ManyToMany, {sum}, {1, 4}));
        EXPECT_EQ(best_placement(m.graph, {0, 1}, CpuMachine{.threads = 2}).placement.panels,
                  std::vector<int>());
    }
}

// All groups of up to four members that end with each operator.
TEST(Placements, AreTheBestOfAllForSmallGroups) {
    int64_t groups = 0, placed = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        const OperatorGraph graph = test::random_graph(seed, 8);
        const CpuMachine machine{.threads = 2, .l2_bytes = int64_t{1} << (12 + seed % 6)};
        test::for_each_legal_group(graph, 4, [&](const std::vector<int> &members) {
            const GroupPrice quick = best_placement(graph, members, machine);
            const GroupPrice thorough = best_placement_of_all(graph, members, machine);
            EXPECT_EQ(quick.refused.empty(), thorough.refused.empty()) << "seed " << seed;
            if (quick.refused.empty()) {
                EXPECT_DOUBLE_EQ(quick.cycles, thorough.cycles) << "seed " << seed;
                placed += quick.placement.panels.empty() && quick.placement.wholes.empty() ? 0 : 1;
            }
            groups++;
        });
    }
    EXPECT_GT(groups, 1000);
    EXPECT_GT(placed, 20);
    RecordProperty("groups", std::to_string(groups));
}

}  // namespace emulsion
