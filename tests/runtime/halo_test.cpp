#include "runtime/halo.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace emulsion::runtime {

namespace {

struct Case {
    std::vector<EmulsionDimension> dimensions;
    std::vector<int64_t> before, after;
    int64_t elements = 1;
};

// A dense buffer of up to four dimensions in a random storage order.
Case random_case(std::mt19937 &random) {
    Case c;
    const size_t rank = 1 + random() % 4;
    c.dimensions.resize(rank);
    c.before.resize(rank);
    c.after.resize(rank);
    std::vector<size_t> order(rank);
    std::iota(order.begin(), order.end(), size_t{0});
    std::shuffle(order.begin(), order.end(), random);
    for (size_t axis : order) {
        const bool margin = random() % 2 == 0;
        c.before[axis] = margin ? static_cast<int64_t>(random() % 3) : 0;
        c.after[axis] = margin ? static_cast<int64_t>(random() % 3) : 0;
        const int64_t extent =
            1 + static_cast<int64_t>(random() % 5) + c.before[axis] + c.after[axis];
        c.dimensions[axis] = {static_cast<int32_t>(-c.before[axis]), static_cast<int32_t>(extent),
                              static_cast<int32_t>(c.elements), 0};
        c.elements *= extent;
    }
    return c;
}

bool in_margin(const Case &c, int64_t element) {
    for (size_t d = 0; d < c.dimensions.size(); d++) {
        const int64_t i = element / c.dimensions[d].stride % c.dimensions[d].extent;
        if (i < c.before[d] || i >= c.dimensions[d].extent - c.after[d]) {
            return true;
        }
    }
    return false;
}

template<typename T>
void check(unsigned seed, T value, T untouched) {
    std::mt19937 random(seed);
    const Case c = random_case(random);
    std::vector<T> data(static_cast<size_t>(c.elements), untouched);
    uint64_t pattern = 0;
    std::memcpy(&pattern, &value, sizeof value);
    fill_halo({reinterpret_cast<char *>(data.data()), sizeof(T),
               static_cast<int>(c.dimensions.size()), c.dimensions.data()},
              c.before.data(), c.after.data(), pattern);
    for (int64_t i = 0; i < c.elements; i++) {
        ASSERT_EQ(in_margin(c, i) ? value : untouched, data[static_cast<size_t>(i)])
            << "seed " << seed << " element " << i;
    }
}

}  // namespace

TEST(Halo, FillsTheMarginsAndNothingElse) {
    for (unsigned seed = 1; seed <= 2000; seed++) {
        check<float>(seed, -3.4e38F, 1.0F);
        check<double>(seed, 0.5, 1.0);
        check<uint8_t>(seed, 200, 3);
        check<int16_t>(seed, -2, 3);
    }
}

}  // namespace emulsion::runtime
