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

}  // namespace emulsion
