#include "bench/random_array.h"

#include <cstring>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace emulsion {
namespace {

std::vector<float> floats_of(const Array &array) {
    std::vector<float> values(array.bytes.size() / sizeof(float));
    std::memcpy(values.data(), array.bytes.data(), array.bytes.size());
    return values;
}

TEST(RandomArray, ValuesAreTheSameEverywhere) {
    // Written down once: a change would make every recorded result another one.
    const Array array = random_array(DataType::F32, std::vector<int64_t>{3}, 1, "input");
    EXPECT_EQ(floats_of(array), (std::vector<float>{-0.866818249F, 0.410521626F, 0.0918671936F}));
}

TEST(RandomArray, FloatsHaveMeanZeroAndDeviationOne) {
    const int count = 100'000;
    double sum = 0.0, squares = 0.0;
    for (const float value :
         floats_of(random_array(DataType::F32, std::vector<int64_t>{count}, 42, "x"))) {
        sum += value;
        squares += static_cast<double>(value) * value;
    }
    EXPECT_NEAR(sum / count, 0.0, 0.02);
    EXPECT_NEAR(squares / count, 1.0, 0.03);
}

TEST(RandomArray, SeedsAndNamesGiveDifferentData) {
    const std::vector<int64_t> shape = {16};
    const Array first = random_array(DataType::F32, shape, 1, "a");
    EXPECT_EQ(first, random_array(DataType::F32, shape, 1, "a"));
    EXPECT_NE(first, random_array(DataType::F32, shape, 2, "a"));
    EXPECT_NE(first, random_array(DataType::F32, shape, 1, "b"));
}

TEST(RandomArray, IntegersAreSmallAndBooleansAreBooleans) {
    const Array integers = random_array(DataType::U8, std::vector<int64_t>{1000}, 1, "x");
    const Array booleans = random_array(DataType::Bool, std::vector<int64_t>{1000}, 1, "x");
    for (size_t i = 0; i < 1000; i++) {
        EXPECT_LT(static_cast<int>(integers.bytes[i]), 10);
        EXPECT_LT(static_cast<int>(booleans.bytes[i]), 2);
    }
}

TEST(RandomArray, IntegersFillTheirBoundsAndNothingElse) {
    const Array array =
        random_array(DataType::U8, std::vector<int64_t>{1000}, 1, "x", {.low = 3, .high = 14});
    std::set<int> seen;
    for (const std::byte value : array.bytes) {
        seen.insert(static_cast<int>(value));
    }
    EXPECT_EQ(12U, seen.size());
    EXPECT_EQ(3, *seen.begin());
    EXPECT_EQ(14, *seen.rbegin());
}

}  // namespace
}  // namespace emulsion
