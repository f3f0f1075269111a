#include "fusion/layout.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "fusion/error.h"

namespace emulsion {

namespace {

using Sizes = std::vector<int64_t>;

}  // namespace

TEST(Layouts, RowMajorIsOnnxsOrder) {
    const auto d = buffer_dimensions({2, 3, 4, 5}, row_major(4));
    const std::vector<BufferDimension> expected{{0, 2, 60}, {0, 3, 20}, {0, 4, 5}, {0, 5, 1}};
    EXPECT_EQ(expected, d);
    EXPECT_EQ(120, allocated_elements({2, 3, 4, 5}, row_major(4)));
    EXPECT_EQ(0, interior_offset({2, 3, 4, 5}, row_major(4)));
}

TEST(Layouts, TheLastAxisOfTheOrderIsDense) {
    Layout nhwc = row_major(4);
    nhwc.order = {0, 2, 3, 1};
    const auto d = buffer_dimensions({2, 3, 4, 5}, nhwc);
    const std::vector<BufferDimension> expected{{0, 2, 60}, {0, 3, 1}, {0, 4, 15}, {0, 5, 3}};
    EXPECT_EQ(expected, d);
}

TEST(Layouts, AHaloShiftsTheTensorInsideItsBuffer) {
    Layout l = row_major(2);
    l.halo = {{1, 2}, {3, 0}};
    const auto d = buffer_dimensions({4, 5}, l);
    const std::vector<BufferDimension> expected{{-1, 7, 8}, {-3, 8, 1}};
    EXPECT_EQ(expected, d);
    EXPECT_EQ(56, allocated_elements({4, 5}, l));
    EXPECT_EQ(1 * 8 + 3, interior_offset({4, 5}, l));
    EXPECT_TRUE(l.has_halo());
}

TEST(Layouts, MarginsOfNothingAreNoHalo) {
    Layout l = row_major(2);
    l.halo = {{0, 0}, {0, 0}};
    EXPECT_FALSE(l.has_halo());
    EXPECT_EQ(Margin{}, l.margin(1));
    EXPECT_EQ(Margin{}, row_major(2).margin(1));
}

TEST(Layouts, ABlockedAxisIsRoundedUpAndItsLanesLieInnermost) {
    Layout l;
    l.order = {0, 2, 1};
    l.block_axis = 0;
    l.block = 8;
    const auto d = buffer_dimensions({17, 3, 5}, l);
    const std::vector<BufferDimension> expected{{0, 3, 120}, {0, 3, 8}, {0, 5, 24}, {0, 8, 1}};
    EXPECT_EQ(expected, d);
    EXPECT_EQ(3 * 8 * 3 * 5, allocated_elements({17, 3, 5}, l));
    EXPECT_EQ(0, interior_offset({17, 3, 5}, l));
}

TEST(Layouts, AScalarHasOneElement) {
    EXPECT_TRUE(buffer_dimensions({}, row_major(0)).empty());
    EXPECT_EQ(1, allocated_elements({}, row_major(0)));
    EXPECT_EQ(1, element_count({}));
}

// Addresses of different elements differ, and lie in the allocation.
TEST(Layouts, NoTwoElementsShareAnAddress) {
    std::mt19937 engine(1);
    for (int round = 0; round < 200; round++) {
        const size_t rank = 1 + engine() % 4;
        Sizes extents;
        Layout l = row_major(static_cast<int>(rank));
        for (size_t i = 0; i < rank; i++) {
            extents.push_back(1 + static_cast<int64_t>(engine() % 5));
            l.halo.push_back(
                {static_cast<int64_t>(engine() % 3), static_cast<int64_t>(engine() % 3)});
        }
        std::shuffle(l.order.begin(), l.order.end(), engine);
        const auto dimensions = buffer_dimensions(extents, l);
        std::set<int64_t> addresses;
        const int64_t count = element_count(extents);
        for (int64_t i = 0; i < count; i++) {
            int64_t rest = i, address = interior_offset(extents, l);
            for (size_t axis = rank; axis-- > 0;) {
                address += rest % extents[axis] * dimensions[axis].stride;
                rest /= extents[axis];
            }
            EXPECT_GE(address, 0);
            EXPECT_LT(address, allocated_elements(extents, l));
            addresses.insert(address);
        }
        EXPECT_EQ(static_cast<size_t>(count), addresses.size());
    }
}

TEST(Layouts, SizesThatOverflowAreRefused) {
    const int64_t huge = int64_t{1} << 32;
    EXPECT_THROW(element_count({huge, huge}), Error);
    EXPECT_THROW(allocated_elements({huge, huge, 1}, row_major(3)), Error);
    EXPECT_THROW(buffer_dimensions({huge, huge, 2}, row_major(3)), Error);
    Layout halo = row_major(1);
    halo.halo = {{INT64_MAX / 2, INT64_MAX / 2}};
    EXPECT_THROW(buffer_dimensions({100}, halo), Error);
    Layout blocked = row_major(1);
    blocked.block_axis = 0;
    blocked.block = 4;
    EXPECT_THROW(allocated_elements({INT64_MAX}, blocked), Error);
    EXPECT_EQ(INT64_MAX, element_count({INT64_MAX, 1}));
}

TEST(Layout, ASliceHasTheStridesOfTheWhole) {
    Layout whole = row_major(3);
    whole.halo = {{}, {1, 2}, {3, 4}};
    const std::vector<int64_t> extents{8, 6, 5};
    const Layout slice = slice_of(whole, extents, {2, 0, 0}, {3, 6, 5});
    const auto of_whole = buffer_dimensions(extents, whole);
    const auto of_slice = buffer_dimensions({3, 6, 5}, slice);
    for (size_t axis = 0; axis < 3; axis++) {
        EXPECT_EQ(of_whole[axis].stride, of_slice[axis].stride);
        EXPECT_EQ(of_whole[axis].min, of_slice[axis].min);
    }
    EXPECT_EQ(3, of_slice[0].extent);
    EXPECT_EQ(2 * of_whole[0].stride, slice_offset({3, 6, 5}, slice));
}

TEST(Layout, ASliceOfASliceKnowsTheWhole) {
    const std::vector<int64_t> extents{4, 10};
    const Layout slice = slice_of(row_major(2), extents, {0, 2}, {4, 6});
    const Layout inner = slice_of(slice, {4, 6}, {1, 3}, {2, 2});
    EXPECT_EQ(10, buffer_dimensions({2, 2}, inner)[0].stride);
    EXPECT_EQ(10 + 5, slice_offset({2, 2}, inner));
}

TEST(Layout, ASliceHasNoHaloWhereItIsCut) {
    Layout whole = row_major(2);
    whole.halo = {{1, 1}, {1, 1}};
    const Layout slice = slice_of(whole, {4, 6}, {0, 2}, {4, 3});
    EXPECT_EQ((Margin{1, 1}), slice.margin(0));
    EXPECT_EQ(Margin{}, slice.margin(1));
    // The buffer begins in the halo of axis 0, at column 2 of the interior.
    EXPECT_EQ(3, slice_offset({4, 3}, slice));
}

TEST(Layout, ARenamedOneHasTheSameAddresses) {
    Layout layout = row_major(3);
    layout.order = {2, 0, 1};
    layout.halo = {{1, 0}, {}, {0, 2}};
    layout.around = {{}, {3, 4}, {}};
    const std::vector<int> names{1, 2, 0};
    const Layout other = renamed(layout, names);
    const auto from = buffer_dimensions({4, 5, 6}, layout);
    const auto to = buffer_dimensions({6, 4, 5}, other);
    for (size_t axis = 0; axis < names.size(); axis++) {
        EXPECT_EQ(from[axis], to[static_cast<size_t>(names[axis])]) << axis;
    }
    EXPECT_EQ(slice_offset({4, 5, 6}, layout), slice_offset({6, 4, 5}, other));
    EXPECT_EQ(layout, renamed(other, inverted(names)));
}

}  // namespace emulsion
