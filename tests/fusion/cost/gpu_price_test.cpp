#include "fusion/cost/gpu_price.h"

#include <gtest/gtest.h>

#include "fusion/chips.h"
#include "fusion/cost/placements.h"
#include "fusion/place_members.h"
#include "tests/fusion/graphs.h"

namespace emulsion {

namespace {

using test::GraphMaker;

constexpr int kChannels = 1, kRows = 2;
constexpr double kCycles = 2e5;  // of each of the two, on one compute unit

// Two convolutions of 64 channels on an image, the second one with a window of `window` rows, and ways to cut the
// second one into workgroups.
class GpuPrice : public testing::Test {
protected:
    void make(int64_t window, int64_t size = 32) {
        const std::vector<int64_t> image{1, 64, size, size};
        first = add("first", m.input(image), image, 1);
        second = add("second", first, image, window);
        m.output(second);
    }

    int add(const std::string &name, int x, const std::vector<int64_t> &extents, int64_t window) {
        const int w = m.constant({64, 64, window, window});
        const int value = m.op(name, MappingType::ManyToMany, {x, w}, extents);
        ImplementationChoice &choice = m.last();
        choice.vector_operations = kCycles * machine.operations_per_cycle;
        const AxisReach moving{.axis = kRows, .stride = 1, .window = window};
        AxisReach along = moving;
        along.axis = 3;
        choice.operands[0].footprint = {{{.axis = 0, .stride = 1}, {.whole = true}, moving, along}};
        choice.operands[1].footprint = {
            {{.axis = kChannels, .stride = 1}, {.whole = true}, {.whole = true}, {.whole = true}}};
        choice.innermost_axis = kChannels;
        choice.nest.panels.row_axis = -1;
        choice.nest.panels.column_axis = kChannels;
        choice.nest.panels.is_panel = true;
        choice.nest.points = {way(64, 4, 4), way(64, 8, 8), way(16, 32, 32)};
        return value;
    }

    static NestPoint way(int64_t columns, int64_t rows, int64_t width) {
        return {.nest = {"nest", {{"rows", rows}}},
                .estimate = {.workgroup = Workgroup{.block = {1, columns, rows, width},
                                                    .tile = {1, 1, 1, 1},
                                                    .threads = {columns, 256 / columns},
                                                    .column_axis = kChannels}}};
    }

    GroupPrice together() const { return gpu_price(m.graph, kPanel, machine); }
    GroupPrice alone(int member) const { return gpu_price(m.graph, {{member}, {}}, machine); }

    const PlacedGroup kPanel{{0, 1}, {.panels = {0}}};
    GpuMachine machine = machine_of(find_chip("gfx906")).gpu();
    GraphMaker m;
    int first = -1, second = -1;
};

}  // namespace

TEST_F(GpuPrice, AKernelCostsItsLaunch) {
    make(1);
    machine.launch_cycles = 0.0;
    const double free = alone(0).cycles;
    machine.launch_cycles = 5000.0;
    EXPECT_DOUBLE_EQ(free + 5000.0, alone(0).cycles);
}

TEST_F(GpuPrice, APointwiseReaderSavesALaunch) {
    make(1);
    EXPECT_EQ(together().refused, "");
    EXPECT_LT(together().cycles, alone(0).cycles + alone(1).cycles);
}

TEST_F(GpuPrice, PanelsThatWorkgroupsShareAreComputedByEach) {
    make(1);
    m.last().nest.points = {way(64, 4, 4)};
    const double all_columns = together().cycles;
    m.last().nest.points = {way(16, 4, 8)};  // every panel four times, for 16 of the 64 channels
    EXPECT_GT(together().cycles, all_columns + kCycles / machine.chip.compute_units);
}

TEST_F(GpuPrice, TheBestOfTheWaysIsChosenAndWritten) {
    make(3);
    machine.launch_cycles = 0.0;
    const GroupPrice price = together();
    ASSERT_EQ(price.refused, "");
    EXPECT_EQ(price.placement.cut, (std::vector<std::vector<int>>{{kRows, 3}}));
    const auto members = place_members(m.graph, {{0, 1}, price.placement});
    EXPECT_EQ(members.at(1).nest.parameters.at("rows"),
              m.last()
                  .nest.points.at(static_cast<size_t>(price.placement.point))
                  .nest.parameters.at("rows"));
}

TEST_F(GpuPrice, PanelsFitIntoLds) {
    make(1);
    m.last().nest.points = {way(16, 32, 32)};  // 256 KiB of the first one's result
    EXPECT_EQ(together().refused,
              "panels of the smallest workgroup take more than 65536 bytes of LDS");
}

TEST_F(GpuPrice, RowsOfPanelsAreWholeVectors) {
    make(1, 64);
    m.last().nest.points = {way(16, 51, 5)};  // of the first one 65,280 bytes, in rows of 5
    EXPECT_NE(together().refused, "");
    m.last().nest.points = {way(16, 32, 8)};  // 65,536 bytes
    EXPECT_EQ(together().refused, "");
}

// Of one pixel every workgroup has all: 64 sums, for which there are 256 threads.
TEST_F(GpuPrice, ThreadsShareTheSumsOfAPanelThatHasFewerThanThey) {
    make(1, 1);
    m.last().nest.points = {way(64, 1, 1)};
    const double alone = together().cycles;
    m.graph.operators[0].implementation.shared_steps = 4 * 8;
    const double shared = together().cycles;
    EXPECT_LT(shared, alone);
    m.graph.operators[0].implementation.shared_steps = 7;  // too few for parts
    EXPECT_DOUBLE_EQ(alone, together().cycles);
    m.graph.operators[0].implementation.shared_steps = 1024;  // no more threads for more parts
    EXPECT_DOUBLE_EQ(shared, together().cycles);
}

TEST_F(GpuPrice, NothingIsKeptWholeBetweenWorkgroups) {
    make(1);
    const GroupPrice best = best_placement(m.graph, {0, 1}, machine);
    EXPECT_EQ(best.refused, "");
    EXPECT_TRUE(best.placement.wholes.empty());
    EXPECT_EQ(best.placement.panels, (std::vector<int>{0}));
}

TEST_F(GpuPrice, ALoopNestThatCantHoldPanelsIsRefused) {
    make(1);
    m.last().nest.panels.column_axis = -1;
    EXPECT_EQ(together().refused, "loop nest 'nest_of_second' has no rows to compute panels at");
}

TEST_F(GpuPrice, ALoopNestThatCantBeAPanelIsRefused) {
    make(1);
    m.graph.operators[0].implementation.nest.panels.is_panel = false;
    EXPECT_EQ(together().refused, "loop nest 'nest_of_first' can't compute a panel");
}

}  // namespace emulsion
