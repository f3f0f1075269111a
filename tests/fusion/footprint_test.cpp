#include "fusion/footprint.h"

#include <gtest/gtest.h>

namespace emulsion {

using Extents = std::vector<int64_t>;

TEST(Footprint, AnUnknownOneIsAllOfTheOperand) {
    EXPECT_EQ(Footprint{}.needed({1, 1}, {7, 8}), (Extents{7, 8}));
}

TEST(Footprint, AWindowMovesWithItsAxis) {
    const Footprint f{{{.axis = 1, .stride = 2, .window = 3}, {.whole = true}, {}}};
    EXPECT_EQ(f.needed({9, 4}, {50, 8, 6}), (Extents{9, 8, 1}));
    EXPECT_EQ(f.needed({9, 40}, {50, 8, 6}), (Extents{50, 8, 1})) << "never more than there is";
}

}  // namespace emulsion
