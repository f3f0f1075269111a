#include "tuner/best_point.h"

#include <gtest/gtest.h>

namespace emulsion {

namespace {

Nest nest(int64_t rows) { return {"toy", {{"rows", rows}}}; }

Result ok(int64_t rows, double ratio) { return {nest(rows), Outcome::Ok, ratio, ratio, 0.1}; }

TEST(BestPoints, ArePlannedWhereNothingIsFaster) {
    BestPoint best(nest(1));
    EXPECT_EQ(nest(1), best.nest());
    best.add({ok(2, 1.2), {nest(3), Outcome::Wrong, 0.5}});
    EXPECT_EQ(nest(1), best.nest());
    EXPECT_EQ(1.0, best.ratio());
    EXPECT_TRUE(best.fastest(9, 1.0).empty());
}

TEST(BestPoints, CountWithTheSlowerOneInTheMiddle) {
    BestPoint best(nest(1));
    best.add({ok(2, 0.7), ok(3, 0.8)});
    EXPECT_EQ(nest(2), best.nest());
    best.add({ok(2, 0.9)});
    EXPECT_EQ(nest(3), best.nest());
    EXPECT_EQ(0.8, best.ratio());
    best.add({ok(3, 0.81), ok(2, 0.72)});
    EXPECT_EQ(nest(2), best.nest());
    EXPECT_EQ(0.72, best.ratio());
}

TEST(BestPoints, AreListedFromTheFastestOn) {
    BestPoint best(nest(1));
    best.add({ok(2, 0.9), ok(3, 0.8), ok(4, 1.1), ok(5, 0.95)});
    EXPECT_EQ((std::vector<Nest>{nest(3), nest(2)}), best.fastest(2, 1.0));
    EXPECT_EQ((std::vector<Nest>{nest(3), nest(2), nest(5)}), best.fastest(9, 1.0));
}

}  // namespace

}  // namespace emulsion
