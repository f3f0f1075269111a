#include "bench/measure.h"

#include <gtest/gtest.h>

namespace emulsion {

// 4 s with all else in 6 s: what is over goes off measuring, down to its half.
TEST(Measure, GettingReadyTakesFromMeasuringWhereTheWholeWouldTakeTooLong) {
    EXPECT_DOUBLE_EQ(4.0, measuring_seconds(4.0, 0, 0.0));
    EXPECT_DOUBLE_EQ(4.0, measuring_seconds(4.0, 0, 1.5));
    EXPECT_DOUBLE_EQ(2.0, measuring_seconds(4.0, 0, 60.0));
    for (const double spent : {0.5, 1.9, 2.5, 3.5}) {
        const double measured = measuring_seconds(4.0, 0, spent);
        EXPECT_LT(measured + spent, 6.0);
        EXPECT_GE(measured, 2.0);
    }
    // What one model has taken too long, the next one saves.
    EXPECT_LT(measuring_seconds(4.0, 1, 7.0 + 2.0), measuring_seconds(4.0, 1, 5.0 + 2.0));
    EXPECT_LT(7.0 + 2.0 + measuring_seconds(4.0, 1, 7.0 + 2.0), 12.0);
}

}  // namespace emulsion
