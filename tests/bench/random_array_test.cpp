#include "bench/random_array.h"

#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

namespace emulsion {
namespace {

TEST(Random, ValuesAreTheSameEverywhere) {
    // Computed once and written down: a change would make every recorded result another one.
    Random random(1, "x");
    EXPECT_EQ(
        random.bits(), uint64_t { @BITS @ });
    const Array array = random_array(DataType::F32, std::vector<int64_t>{2}, 1, "input");
    float values[2];
    std::memcpy(values, array.bytes.data(), sizeof values);
    EXPECT_NEAR(values[0], @V0 @, 1e-6);
    EXPECT_NEAR(values[1], @V1 @, 1e-6);
}

TEST(Random, NormalValuesHaveMeanZeroAndDeviationOne) {
    Random random(42);
    const int count = 100'000;
    double sum = 0.0, squares = 0.0;
    for (int i = 0; i < count; i++) {
        const double value = random.normal();
        sum += value;
        squares += value * value;
    }
    EXPECT_NEAR(sum / count, 0.0, 0.02);
    EXPECT_NEAR(squares / count, 1.0, 0.03);
}

TEST(Random, SeedsAndNamesGiveDifferentData) {
    const std::vector<int64_t> shape = {16};
    const Array first = random_array(DataType::F32, shape, 1, "a");
    EXPECT_EQ(first, random_array(DataType::F32, shape, 1, "a"));
    EXPECT_NE(first, random_array(DataType::F32, shape, 2, "a"));
    EXPECT_NE(first, random_array(DataType::F32, shape, 1, "b"));
}

TEST(Random, IntegersAreSmallAndBooleansAreBooleans) {
    const Array integers = random_array(DataType::U8, std::vector<int64_t>{1000}, 1, "x");
    const Array booleans = random_array(DataType::Bool, std::vector<int64_t>{1000}, 1, "x");
    for (size_t i = 0; i < 1000; i++) {
        EXPECT_LT(static_cast<int>(integers.bytes[i]), 10);
        EXPECT_LT(static_cast<int>(booleans.bytes[i]), 2);
    }
}

}  // namespace
}  // namespace emulsion
