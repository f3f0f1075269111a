#include "autoscheduler/block_extents.h"

#include <gtest/gtest.h>

namespace emulsion {

namespace {

using Halide::Expr;
using Halide::Func;
using Halide::Var;

// A row of `width` elements that `out` reads through windows of `taps`, `stride` apart, with `padding` zeros on
// both sides; kept in `panel`.
class BlockExtents : public testing::Test {
protected:
    void make(int width, int taps, int stride, int padding) {
        panel(x, y) = x + 2 * y;
        Func padded("padded");
        padded(x, y) =
            Halide::select(x < 0 || x >= width, 0, panel(Halide::clamp(Expr(x), 0, width - 1), y));
        Halide::RDom r(0, taps);
        sum(x, y) += padded(x * stride + r - padding, y);
        out(x, y) = sum(x, y) + 1;
    }

    std::optional<ExtentRange> along(int axis, const std::vector<int64_t> &extents,
                                     const std::vector<int64_t> &block) const {
        return block_extents(out, extents, {block}, panel, axis);
    }

    Var x{"x"}, y{"y"};
    Func panel{"panel"}, sum{"sum"}, out{"out"};
};

}  // namespace

TEST_F(BlockExtents, WindowsNeedTheirHalo) {
    make(18, 3, 1, 0);
    const auto found = along(0, {16, 8}, {4, 2});
    ASSERT_TRUE(found);
    EXPECT_EQ(6, found->least);
    EXPECT_EQ(6, found->most);
}

TEST_F(BlockExtents, WhatLiesInThePaddingIsNotNeeded) {
    make(16, 3, 1, 1);
    const auto found = along(0, {16, 8}, {4, 2});
    ASSERT_TRUE(found);
    EXPECT_EQ(5, found->least);
    EXPECT_EQ(6, found->most);
}

TEST_F(BlockExtents, APaddingWiderThanABlockLeavesOneElement) {
    make(16, 3, 1, 6);
    const auto found = along(0, {26, 8}, {2, 2});
    ASSERT_TRUE(found);
    EXPECT_EQ(1, found->least);
    EXPECT_EQ(4, found->most);
}

TEST_F(BlockExtents, StridesReachFurther) {
    make(33, 3, 2, 0);
    const auto found = along(0, {16, 8}, {4, 2});
    ASSERT_TRUE(found);
    EXPECT_EQ(9, found->least);
    EXPECT_EQ(9, found->most);
}

TEST_F(BlockExtents, ABlockMayBeLargerThanAllOfIt) {
    make(18, 3, 1, 0);
    const auto found = along(1, {16, 8}, {4, 64});
    ASSERT_TRUE(found);
    EXPECT_EQ(8, found->least);
    EXPECT_EQ(8, found->most);
}

TEST_F(BlockExtents, IsNotFoundWithoutExtents) {
    make(18, 3, 1, 0);
    EXPECT_FALSE(along(0, {-1, 8}, {4, 2}));
}

TEST_F(BlockExtents, IsNotFoundWhereItDependsOnSeveralAxes) {
    panel(x, y) = x;
    out(x, y) = panel(Halide::clamp(x + y * 8, 0, 30), 0);
    EXPECT_FALSE(along(0, {16, 4}, {4, 1}));
}

}  // namespace emulsion
