#include "fusion/panels.h"

#include <gtest/gtest.h>

#include "tests/fusion/graphs.h"

namespace emulsion {

namespace {

using test::GraphMaker;

constexpr int kRows = 2, kColumnAxis = 1;

// Two convolutions of 64 channels, the second one with a window of `window` rows. Their loop nests cut
// rows, and run vectors along channels.
class Panels : public testing::Test {
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
        choice.multiply_adds = 1e6;
        choice.nest.panels = {.outer_axes = {0},
                              .row_axis = kRows,
                              .rows_parameter = "task_rows",
                              .whole_axis = kColumnAxis};
        const AxisReach moving{.axis = kRows, .stride = stride, .window = window};
        AxisReach along = moving;
        along.axis = 3;
        choice.operands[0].footprint = {{{.axis = 0, .stride = 1}, {.whole = true}, moving, along}};
        return value;
    }

    Panel panel() const {
        return best_panel(m.graph, {{0, 1}, {0}}, {.threads = 2, .vector_bytes = 32});
    }

    GraphMaker m;
    int first = -1, second = -1;
};

}  // namespace

TEST_F(Panels, APointwiseReaderComputesNothingTwice) {
    make(1);
    const Panel best = panel();
    EXPECT_EQ(best.refused, "");
    EXPECT_DOUBLE_EQ(best.recompute, 1.0);
    EXPECT_EQ(best.bytes, 64 * best.rows * 32 * 4);
    EXPECT_EQ(best.count, (32 + best.rows - 1) / best.rows);
}

TEST_F(Panels, AWindowRecomputesTheRowsBetweenPanels) {
    make(3);
    const Panel best = panel();
    const auto needed = static_cast<double>(best.rows + 2);
    EXPECT_EQ(best.bytes, 64 * (best.rows + 2) * 32 * 4);
    EXPECT_GT(best.recompute, 1.0);
    EXPECT_LE(best.recompute, needed / static_cast<double>(best.rows));
}

TEST_F(Panels, AWindowAsWideAsItsStrideOverlapsNothing) {
    make(2, 32, 2);
    const Panel best = panel();
    EXPECT_DOUBLE_EQ(best.recompute, 1.0);
    EXPECT_EQ(best.bytes, 64 * 2 * best.rows * 32 * 4);
}

TEST_F(Panels, EveryThreadGetsPanels) {
    make(1);
    EXPECT_EQ(panel().count % 2, 0);
}

TEST_F(Panels, APanelLeavesRoomInThePrivateCache) {
    make(1, 4096);
    EXPECT_NE(panel().refused.find("leaves no room in the private cache"), std::string::npos);
}

TEST_F(Panels, TheRootNeedsRows) {
    make(1);
    m.last().nest.panels = {};
    EXPECT_EQ(panel().refused, "loop nest 'nest_of_second' has no rows to compute panels at");
}

TEST_F(Panels, TheVectorsOfAProducerAreNotCut) {
    make(1);
    // The rows of the reader are the columns of the producer.
    m.last().operands[0].footprint.axes[kColumnAxis] = {.axis = kRows, .stride = 1};
    m.last().operands[0].footprint.axes[kRows] = {.whole = true};
    EXPECT_NE(panel().refused.find("runs vectors"), std::string::npos);
}

}  // namespace emulsion
