#include "fusion/image/sliding.h"

#include <gtest/gtest.h>

namespace emulsion {

namespace {

// Rows are axis 1.
DefinitionCost reading(const std::map<int, Offsets> &rows) {
    DefinitionCost cost;
    for (const auto &[producer, offsets] : rows) {
        cost.taps[producer] = 1;
        cost.offsets[producer] = {Offsets{}, offsets};
    }
    return cost;
}

using Stages = std::set<int>;

}  // namespace

TEST(Sliding, KeepsRowsOfAChain) {
    const StageCosts costs{
        {0, {reading({})}}, {1, {reading({{0, {-2, 2}}})}}, {2, {reading({{1, {-1, 1}}})}}};
    EXPECT_EQ(Stages{}, kept_whole(2, {{0, 1}, {1, 1}, {2, 1}}, costs));
}

// Stage 1 is computed a row ahead of the root, and needs no earlier rows of stage 0; the root does.
TEST(Sliding, KeepsAllRowsForReadersThatDoNotGoAlong) {
    const StageCosts costs{{0, {reading({})}},
                           {1, {reading({{0, {0, 0}}})}},
                           {2, {reading({{0, {-1, 1}}, {1, {-1, 1}}})}}};
    EXPECT_EQ(Stages{0}, kept_whole(2, {{0, 1}, {1, 1}, {2, 1}}, costs));
}

TEST(Sliding, KeepsRowsForReadersThatGoAlong) {
    const StageCosts costs{{0, {reading({})}},
                           {1, {reading({{0, {-1, 1}}})}},
                           {2, {reading({{0, {-1, 1}}})}},
                           {3, {reading({{1, {-1, 1}}, {2, {-1, 1}}})}}};
    EXPECT_EQ(Stages{}, kept_whole(3, {{0, 1}, {1, 1}, {2, 1}, {3, 1}}, costs));
}

// The other reader is computed with the root's rows, none ahead.
TEST(Sliding, KeepsRowsForAReaderBesideTheRoot) {
    const StageCosts costs{{0, {reading({})}},
                           {1, {reading({{0, {-3, 3}}})}},
                           {2, {reading({{0, {0, 0}}, {1, {0, 0}}})}}};
    EXPECT_EQ(Stages{}, kept_whole(2, {{0, 1}, {1, 1}, {2, 1}}, costs));
}

// A pyramid: 3 (the root), 2 has half its rows, 1 a quarter.
TEST(Sliding, ComputesRowsOfCoarseLevelsAgain) {
    const Offsets halved{0, 1, false};
    const StageCosts costs{{0, {reading({})}},
                           {1, {reading({{0, {0, 0}}})}},
                           {2, {reading({{1, halved}})}},
                           {3, {reading({{2, halved}})}}};
    const std::map<int, int> axes{{0, 1}, {1, 1}, {2, 1}, {3, 1}};
    EXPECT_EQ((Stages{0, 1}),
              computed_again(3, axes, {{0, 0.25}, {1, 0.25}, {2, 0.5}, {3, 1.0}}, costs));
}

TEST(Sliding, ComputesRowsOnceThatAreReadAsTheyAre) {
    const StageCosts costs{{0, {reading({})}},
                           {1, {reading({{0, {0, 0}}})}},
                           {2, {reading({{1, {0, 1, false}}})}},
                           {3, {reading({{2, {-1, 1}}})}}};
    const std::map<int, int> axes{{0, 1}, {1, 1}, {2, 1}, {3, 1}};
    EXPECT_EQ(Stages{}, computed_again(3, axes, {{0, 0.5}, {1, 0.5}, {2, 1.0}, {3, 1.0}}, costs));
}

// Twice the rows of the root are all new.
TEST(Sliding, ComputesRowsOfFinerLevelsOnce) {
    const Offsets doubled{-1, 1, false};
    const StageCosts costs{
        {0, {reading({})}}, {1, {reading({{0, doubled}})}}, {2, {reading({{1, doubled}})}}};
    EXPECT_EQ(Stages{},
              computed_again(2, {{0, 1}, {1, 1}, {2, 1}}, {{0, 4.0}, {1, 2.0}, {2, 1.0}}, costs));
}

// Of two readers in the tile one reads rows, and one max(y, 0) or the like.
TEST(Sliding, SeesRowsThatAreReadInTwoWays) {
    const Offsets rows{.has_steps = true}, clamped{.known = false, .has_computed = true},
        both{.known = false, .has_steps = true, .has_computed = true};
    const std::map<int, int> axes{{0, 1}, {1, 1}, {2, 1}};
    const auto mixes = [&](const Offsets &inside, const Offsets &outside) {
        const StageCosts costs{
            {0, {reading({})}}, {1, {reading({{0, inside}})}}, {2, {reading({{0, outside}})}}};
        return mixes_rows(axes, costs);
    };
    EXPECT_FALSE(mixes(rows, rows));
    EXPECT_FALSE(mixes(clamped, clamped));
    EXPECT_TRUE(mixes(clamped, rows));
    EXPECT_TRUE(mixes(rows, both));
}

// Halide takes ten times as long with every two more.
TEST(Sliding, KeepsRowsOfFewStagesThatAreReadAtClampedOnes) {
    const Offsets rows{.has_steps = true}, clamped{.known = false, .has_computed = true};
    const auto chain = [](int stages, const Offsets &offsets) {
        std::map<int, int> axes;
        StageCosts costs;
        for (int stage = 0; stage < stages; stage++) {
            axes[stage] = 1;
            costs[stage] = {stage == 0 ? reading({}) : reading({{stage - 1, offsets}})};
        }
        return nests_computed_rows(axes, costs);
    };
    EXPECT_FALSE(chain(40, rows));
    EXPECT_FALSE(chain(6, clamped));
    EXPECT_TRUE(chain(9, clamped));
}

}  // namespace emulsion
