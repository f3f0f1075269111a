#include "fusion/reshape.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <random>

namespace emulsion::test {

namespace {

using Extents = std::vector<int64_t>;
using Order = std::vector<int>;

// Where the elements of a tensor lie, in their flattened order.
std::vector<int64_t> places(const Extents &extents, const Layout &layout) {
    const auto dimensions = buffer_dimensions(extents, layout);
    std::vector<int64_t> result;
    for (int64_t i = 0; i < element_count(extents); i++) {
        int64_t rest = i, place = 0;
        for (size_t axis = extents.size(); axis-- > 0;) {
            place += rest % extents[axis] * dimensions[axis].stride;
            rest /= extents[axis];
        }
        result.push_back(place);
    }
    return result;
}

Layout lying(Order order) { return {std::move(order), {}}; }

// A shape of 720 elements.
Extents random_extents(std::mt19937_64 &engine) {
    Extents extents;
    int64_t rest = 720;
    while (rest > 1) {
        const auto factor = std::array<int64_t, 6>{1, 2, 3, 4, 5, 6}[engine() % 6];
        if (rest % factor == 0) {
            extents.push_back(factor);
            rest /= factor;
        }
    }
    return extents;
}

}  // namespace

TEST(Reshape, AxesMatchWhereTheirProductsDo) {
    const auto groups = matched_axes({1, 64, 13, 13}, {1, 64, 169});
    ASSERT_EQ(2U, groups.size());
    EXPECT_TRUE(groups[0].kept());
    EXPECT_EQ((Order{1}), groups[0].from);
    EXPECT_EQ((Order{2, 3}), groups[1].from);
    EXPECT_EQ((Order{2}), groups[1].to);
    EXPECT_EQ(1, matched_axes({4, 6}, {8, 3}).size());
    EXPECT_TRUE(matched_axes({4, 0}, {0, 7}).empty());
    EXPECT_TRUE(matched_axes({1, 1}, {}).empty());
}

TEST(Reshape, AKeptAxisIsFoundBehindAxesOfOneElement) {
    EXPECT_EQ(1, kept_axis({1, 64, 13, 13}, {64, 1, 169}, 0));
    EXPECT_EQ(-1, kept_axis({1, 64, 13, 13}, {64, 1, 169}, 1));
    EXPECT_EQ(-1, kept_axis({1, 64, 13, 13}, {64, 1, 169}, 2));
}

TEST(Reshape, PixelsOfChannelsLastAreNeighbours) {
    EXPECT_EQ((Order{0, 2, 1}), reshaped_order({1, 64, 13, 13}, {0, 2, 3, 1}, {1, 64, 169}));
    EXPECT_EQ((Order{0, 2, 3, 1}), reshaped_order({1, 64, 169}, {0, 2, 1}, {1, 64, 13, 13}));
    EXPECT_EQ((Order{0, 1, 2}), reshaped_order({1, 64, 13, 13}, {0, 1, 2, 3}, {1, 64, 169}));
    // Columns are no neighbours of the next row's.
    EXPECT_FALSE(reshaped_order({1, 64, 13, 13}, {0, 3, 2, 1}, {1, 64, 169}));
    EXPECT_FALSE(reshaped_order({1, 64, 13, 13}, {0, 2, 3, 1}, {1, 32, 338}));
}

TEST(Reshape, RowsThatAreFurtherApartThanTheyAreLongCanMerge) {
    Layout apart = lying({0, 2, 3, 1}), flat = lying({0, 2, 1});
    apart.around = {{}, {0, 16}, {}, {}};
    EXPECT_FALSE(lies_reshaped({1, 512, 13, 13}, apart, {1, 512, 169}, flat));
    flat.around = {{}, {0, 16}, {}};
    EXPECT_TRUE(lies_reshaped({1, 512, 13, 13}, apart, {1, 512, 169}, flat));
    Layout padded = apart;
    padded.halo = {{}, {}, {1, 1}, {1, 1}};
    EXPECT_FALSE(lies_reshaped({1, 512, 13, 13}, padded, {1, 512, 169}, flat));
    apart.around[3] = {0, 1};  // a column more in each row
    EXPECT_FALSE(lies_reshaped({1, 512, 13, 13}, apart, {1, 512, 169}, flat));
}

// An order is found exactly where there is one, and both functions say of it what the addresses say.
TEST(Reshape, AgreesWithTheAddressesOfRandomShapes) {
    const uint64_t seed = std::random_device()();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 engine(seed);
    int found = 0;
    for (int round = 0; round < 3000; round++) {
        const Extents from = random_extents(engine), to = random_extents(engine);
        Order order(from.size()), other(to.size());
        std::iota(order.begin(), order.end(), 0);
        std::iota(other.begin(), other.end(), 0);
        std::shuffle(order.begin(), order.end(), engine);
        std::shuffle(other.begin(), other.end(), engine);
        const auto same_places = [&](const Order &of_to) {
            return places(from, lying(order)) == places(to, lying(of_to));
        };
        EXPECT_EQ(same_places(other), lies_reshaped(from, lying(order), to, lying(other)));
        if (const auto reshaped = reshaped_order(from, order, to)) {
            found++;
            EXPECT_TRUE(same_places(*reshaped));
            EXPECT_TRUE(lies_reshaped(from, lying(order), to, lying(*reshaped)));
        } else {
            EXPECT_FALSE(same_places(other));
        }
    }
    EXPECT_LT(20, found);
}

}  // namespace emulsion::test
