#include "autoscheduler/reach.h"

#include <gtest/gtest.h>

namespace emulsion {

namespace {

using Halide::Expr;
using Halide::Func;
using Halide::RDom;
using Halide::Var;
using Sizes = std::vector<int64_t>;

class FootprintOf : public testing::Test {
protected:
    FootprintOf() { g(x, y) = 0.0F; }

    // Extents that a tile of `of` needs of g.
    Sizes needed(const std::vector<Func> &of, const Sizes &tile) const {
        std::vector<FuncFacts> parts;
        for (const Func &f : of) {
            parts.push_back(func_facts(f.function()));
        }
        return footprint_of(parts, g.name(), 2).needed(tile, {100, 50});
    }

    const Var x{"x"}, y{"y"}, z{"z"};
    Func g{"g"};
};

}  // namespace

TEST_F(FootprintOf, TheSameCoordinatesNeedTheTile) {
    Func f;
    f(x, y) = g(x, y) + 1.0F;
    EXPECT_EQ(needed({f}, {4, 5}), (Sizes{4, 5}));
}

TEST_F(FootprintOf, ATransposedReadNeedsTheTransposedTile) {
    Func f;
    f(x, y) = g(y, x);
    EXPECT_EQ(needed({f}, {4, 5}), (Sizes{5, 4}));
}

TEST_F(FootprintOf, ABroadcastNeedsOneElement) {
    Func f;
    f(x, y) = g(x, 0);
    EXPECT_EQ(needed({f}, {4, 5}), (Sizes{4, 1}));
}

TEST_F(FootprintOf, AWindowOverlapsAndStrides) {
    Func sum("sum"), f;
    const RDom r(0, 3, 0, 3);
    sum(x, y) = 0.0F;
    sum(x, y) += g(x + r.x - 1, y * 2 + r.y);
    f(x, y) = max(sum(x, y), 0.0F);
    EXPECT_EQ(needed({sum, f}, {4, 5}), (Sizes{6, 11}));
    EXPECT_EQ(needed({sum, f}, {1, 1}), (Sizes{3, 3}));
    EXPECT_EQ(needed({sum, f}, {100, 50}), (Sizes{100, 50})) << "never more than there is";
}

TEST_F(FootprintOf, ADilatedWindowReachesAcrossItsGaps) {
    Func sum("sum"), f;
    const RDom r(0, 3);
    sum(x, y) = 0.0F;
    sum(x, y) += g(x + 4 * r, y);
    f(x, y) = sum(x, y);
    EXPECT_EQ(needed({sum, f}, {2, 1}), (Sizes{10, 1}));
}

TEST_F(FootprintOf, WhatIsSummedOverIsReadWhole) {
    Func sum("sum"), f;
    const RDom r(0, 100);
    sum(x, y) = 0.0F;
    sum(x, y) += g(r, x);
    f(x, y) = sum(x, y);
    EXPECT_EQ(needed({sum, f}, {7, 5}), (Sizes{100, 7}));
}

TEST_F(FootprintOf, DifferentTapsOfAPureFuncCoverAWindow) {
    Func f;
    f(x, y) = g(x - 1, y) + g(x, y) + g(x + 2, y);
    EXPECT_EQ(needed({f}, {4, 5}), (Sizes{7, 5}));
}

TEST_F(FootprintOf, TwoWindowsInARowAdd) {
    Func a("a"), f;
    a(x, y) = g(x, y) + g(x + 2, y);
    f(x, y) = a(x * 3, y) + a(x * 3 + 1, y);
    EXPECT_EQ(needed({a, f}, {2, 1}), (Sizes{7, 1}));
}

TEST_F(FootprintOf, IndicesThatAreNotAffineReadAllOfTheAxis) {
    Func f, clamped;
    f(x, y) = g(x % 7, y);
    EXPECT_EQ(needed({f}, {4, 5}), (Sizes{100, 5}));
    clamped(x, y) = g(clamp(x, 0, 9), y);
    EXPECT_EQ(needed({clamped}, {4, 5}), (Sizes{100, 5}));
    Func both;
    both(x, y) = g(x + y, 0);
    EXPECT_EQ(needed({both}, {4, 5}), (Sizes{100, 1}));
}

TEST_F(FootprintOf, ReadsThroughPartsOfAnotherRankAreFollowed) {
    Func rows("rows"), f;
    const RDom r(0, 50);
    rows(x) = 0.0F;
    rows(x) += g(x, r);
    f(x, y) = g(x, y) / rows(x);
    EXPECT_EQ(needed({rows, f}, {4, 5}), (Sizes{4, 50}));
}

// Along which axis of the result vectors would take elements of the operand's first one from anywhere.
TEST_F(FootprintOf, IndicesByNoFormulaAreGatheredAlongTheirAxis) {
    const auto gathered = [&](const Halide::Expr &index) {
        Func f;
        f(x, y) = g(index, y);
        return footprint_of({func_facts(f.function())}, g.name(), 2).axes.front().gathered_along;
    };
    Func table("table");
    table(x) = x * x;
    EXPECT_EQ(0, gathered(Halide::clamp(table(x), 0, 9)));
    EXPECT_EQ(1, gathered(Halide::clamp(table(y), 0, 9)));
    EXPECT_EQ(0, gathered(x % 7));
    EXPECT_EQ(-1, gathered(Halide::clamp(table(x) + y, 0, 9))) << "of two axes";
    EXPECT_EQ(-1, gathered(Halide::clamp(x - 3, 0, 9))) << "neighbours, but for the ends";
    EXPECT_EQ(-1, gathered(x));
    EXPECT_EQ(-1, gathered(2 * x + 1));
}

TEST_F(FootprintOf, ADividedCoordinateNeedsAsManySteps) {
    Func f, shifted, whole_steps;
    f(x, y) = g(x / 2, y);
    EXPECT_EQ(needed({f}, {4, 5}), (Sizes{2, 5}));
    EXPECT_EQ(needed({f}, {5, 5}), (Sizes{3, 5})) << "may begin anywhere";
    shifted(x, y) = g((x + 1) / 2, y);
    EXPECT_EQ(needed({shifted}, {4, 5}), (Sizes{3, 5})) << "steps begin before or behind the tile";
    whole_steps(x, y) = g((x + 6) / 3, y);
    EXPECT_EQ(needed({whole_steps}, {6, 5}), (Sizes{2, 5}));
}

TEST_F(FootprintOf, WindowsOfADividedCoordinateCountSteps) {
    Func a("a"), f, again;
    a(x, y) = g(x, y) + g(x + 2, y);
    f(x, y) = a(x / 2, y);
    EXPECT_EQ(needed({a, f}, {4, 5}), (Sizes{4, 5}));
    // Steps of steps aren't followed.
    Func half("half");
    half(x, y) = g(x / 2, y);
    again(x, y) = half(x / 2, y);
    EXPECT_EQ(needed({half, again}, {4, 5}), (Sizes{100, 5}));
}

// Every tile of every size at every place that is a multiple of its size, as panels are.
TEST_F(FootprintOf, NoTileOfADividedCoordinateReadsMoreThanItNeeds) {
    for (const int divisor : {2, 3, 5}) {
        for (const int shift : {0, 1, 4, 10, 15}) {
            Func f;
            f(x, y) = g((x + shift) / divisor, y);
            for (int64_t tile = 1; tile <= 20; tile++) {
                const int64_t reach = needed({f}, {tile, 1}).front();
                for (int64_t first = 0; first + tile <= 60; first += tile) {
                    const int64_t read =
                        (first + tile - 1 + shift) / divisor - (first + shift) / divisor + 1;
                    EXPECT_LE(read, reach)
                        << tile << " from " << first << " of (x + " << shift << ") / " << divisor;
                }
            }
        }
    }
}

// Elements that choose by the remainder are computed a tile at a time.
TEST_F(FootprintOf, ATileThatChoosesByTheRemainderNeedsAStepOfWhatItDivides) {
    Func f;
    f(x, y) = mux(x % 4, {g(x / 4, y), g(x / 4 + 1, y), g(x / 4, y + 1), g(x / 4, y + 2)});
    EXPECT_EQ(needed({f}, {4, 5}), (Sizes{100, 7}));  // x / 4 + 1 is another division
    Func h;
    h(x, y) = mux(x % 4, {1.0F, 2.0F, 3.0F, 4.0F}) * g(x / 4, y);
    EXPECT_EQ(needed({h}, {4, 5}), (Sizes{1, 5}));
    EXPECT_EQ(needed({h}, {8, 5}), (Sizes{2, 5}));
    EXPECT_EQ(needed({h}, {5, 5}), (Sizes{2, 5}));  // may begin anywhere
    EXPECT_EQ(needed({h}, {1, 5}), (Sizes{1, 5}));
}

TEST_F(FootprintOf, AnIndexThatIsChosenReachesFromTheLeastChoiceToTheGreatest) {
    Func f;
    f(x, y) = g(4 * x + mux(y % 2, {1, 3}), y / 2);
    EXPECT_EQ(needed({f}, {3, 2}), (Sizes{2 * 4 + 3, 1}));
}

}  // namespace emulsion
