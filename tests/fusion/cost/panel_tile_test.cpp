#include "fusion/cost/panel_tile.h"

#include <gtest/gtest.h>

#include "fusion/gpu.h"

namespace emulsion {

TEST(PanelTile, VectorsLeaveWorkForEveryThread) {
    EXPECT_EQ(kGpuVector, panel_vector(256, 64));
    EXPECT_EQ(2, panel_vector(128, 64));
    EXPECT_EQ(1, panel_vector(64, 64));
    EXPECT_EQ(1, panel_vector(7, 1));
    EXPECT_EQ(2, panel_vector(6, 3));
}

TEST(PanelTile, RowsAreNoMoreThanEveryBlockHas) {
    for (int64_t least = 1; least < 12; least++) {
        for (int64_t most = least; most < 40; most++) {
            for (const int64_t threads : {1, 2, 4, 8}) {
                const int64_t rows = panel_rows(least, most, threads);
                EXPECT_GE(rows, 1);
                EXPECT_LE(rows, std::min(least, kMostPanelRows));
            }
        }
    }
}

TEST(PanelTile, RowsShareWhatIsReadForThem) {
    EXPECT_EQ(kMostPanelRows, panel_rows(16, 16, 1));
    EXPECT_EQ(3, panel_rows(9, 9, 3));   // one round of three each
    EXPECT_EQ(1, panel_rows(4, 4, 4));   // nothing to share
    EXPECT_EQ(5, panel_rows(9, 10, 1));  // two rounds, neither of them half empty
}

TEST(PanelTile, SumsAreCutWhereThreadsAreLeftAndPartsAreLongEnough) {
    EXPECT_EQ(32, panel_parts(8, 256, 1152));  // no more, however many threads there are
    EXPECT_EQ(32, panel_parts(4, 256, 1152));
    EXPECT_EQ(4, panel_parts(48, 256, 1152));  // a power of two of 256 / 48
    EXPECT_EQ(2, panel_parts(8, 256, 16));     // eight steps each
    EXPECT_EQ(1, panel_parts(8, 256, 15));
    EXPECT_EQ(1, panel_parts(8, 256, 0));
    EXPECT_EQ(1, panel_parts(256, 256, 1152));
}

TEST(PanelTile, ThreadsLieAlongTheColumnsFirst) {
    EXPECT_EQ((std::vector<int>{1, 3, 2, 0}), thread_axes(1, 4));
    EXPECT_EQ((std::vector<int>{3, 2, 1, 0}), thread_axes(3, 4));
    EXPECT_EQ((std::vector<int>{1, 0}), thread_axes(-1, 2));
    EXPECT_EQ((std::vector<int>{0}), thread_axes(1, 1));  // a member of a group of more axes
}

}  // namespace emulsion
