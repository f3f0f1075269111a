#include "fusion/image/shapes.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace emulsion {

namespace {

ImageStage stage_of(const std::vector<int64_t> &extents) {
    Definition definition;
    definition.free.assign(extents.size(), true);
    ImageStage stage;
    stage.name = "stage";
    stage.extents = extents;
    stage.definitions = {definition};
    return stage;
}

}  // namespace

TEST(Shapes, CutFewAxesAndNoneOfOneElement) {
    const ImageStage stage = stage_of({64, 3, 1, 5, 4, 1, 7, 6});
    const CpuMachine machine{.threads = 4};
    for (const Shape &shape : candidate_shapes(stage, {-1, 0, 8, 0}, true, machine)) {
        EXPECT_EQ(shape.block[2], 0);
        EXPECT_EQ(shape.block[5], 0);
        EXPECT_LE(std::count_if(shape.block.begin(), shape.block.end(),
                                [](int64_t block) { return block > 0; }),
                  4);
    }
}

TEST(Shapes, CutFewRowsOfAxesThatMayBeShorter) {
    constexpr int64_t kFew = 8;
    ImageStage stage = stage_of({64, 3000, 40});
    const auto longest = [&](size_t axis) {
        int64_t most = 0;
        for (const Shape &shape : candidate_shapes(stage, {-1, 0, 8, 0}, true, {.threads = 2})) {
            most = std::max(most, shape.block[axis]);
        }
        return most;
    };
    EXPECT_GT(longest(1), kFew);
    stage.guessed = {false, true, false};
    EXPECT_EQ(longest(1), kFew);
    EXPECT_GT(longest(2), kFew);
}

TEST(Shapes, CutAllOuterAxesOfImages) {
    const auto shapes = candidate_shapes(stage_of({64, 9, 5}), {-1, 0, 8, 0}, true, {.threads = 4});
    EXPECT_TRUE(std::any_of(shapes.begin(), shapes.end(), [](const Shape &shape) {
        return shape.block == std::vector<int64_t>{0, 1, 1};
    }));
}

}  // namespace emulsion
