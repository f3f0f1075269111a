#include "bench/compare.h"

#include <cmath>
#include <cstring>
#include <limits>

#include <gtest/gtest.h>

namespace emulsion {
namespace {

template<typename T>
Array array_of(DataType type, const std::vector<T> &values) {
    Array array{type, {static_cast<int64_t>(values.size())}, {}};
    array.bytes.resize(values.size() * sizeof(T));
    std::memcpy(array.bytes.data(), values.data(), array.bytes.size());
    return array;
}

Array floats(const std::vector<float> &values) { return array_of(DataType::F32, values); }

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

TEST(Compare, ErrorsAreMeasuredAgainstTheBound) {
    // At reference 100 the bound is 0.1001; at 0 it is 0.0001.
    const Difference difference = compare(floats({100.5F, 0.0002F}), floats({100.0F, 0.0F}));
    EXPECT_NEAR(difference.max_abs_error, 0.5, 1e-6);
    EXPECT_NEAR(difference.worst_ratio, 0.5 / 0.1001, 1e-3);
    EXPECT_EQ(difference.worst_element, 0);
    EXPECT_FALSE(difference.passes());
    EXPECT_TRUE(compare(floats({100.09F, 0.00009F}), floats({100.0F, 0.0F})).passes());
}

TEST(Compare, ANaNOnEitherSideFailsAndStays) {
    for (const auto &[value, reference] :
         {std::pair(kNaN, 1.0F), std::pair(1.0F, kNaN), std::pair(kNaN, kNaN)}) {
        Difference difference = compare(floats({1, value, 1}), floats({1, reference, 1}));
        EXPECT_FALSE(difference.passes());
        difference.merge(compare(floats({5}), floats({1})));
        EXPECT_TRUE(std::isnan(difference.max_abs_error));
        EXPECT_EQ(difference.worst_element, 1);
    }
}

TEST(Compare, OnlyEqualInfinitiesPass) {
    EXPECT_TRUE(compare(floats({kInfinity}), floats({kInfinity})).passes());
    EXPECT_FALSE(compare(floats({-kInfinity}), floats({kInfinity})).passes());
    EXPECT_FALSE(compare(floats({1}), floats({kInfinity})).passes());
    EXPECT_FALSE(compare(floats({kInfinity}), floats({1})).passes());
}

TEST(Compare, LargeIntegersAreComparedExactly) {
    const int64_t large = int64_t{1} << 62;
    const Array a = array_of<int64_t>(DataType::I64, {large});
    const Array b = array_of<int64_t>(DataType::I64, {large + 1});
    EXPECT_EQ(compare(a, b).max_abs_error, 1.0);
}

TEST(Sensitivity, IsTheSmallestOverOutputsAndPairs) {
    // Output 1 of runs 0 and 1 differs least: by 0.01 at 1, where the bound is 0.0011 (and a little).
    const std::vector<std::vector<Array>> runs = {{floats({1, 5}), floats({1.00F})},
                                                  {floats({1, 9}), floats({1.01F})},
                                                  {floats({8, 7}), floats({3.00F})}};
    EXPECT_NEAR(sensitivity(runs), 0.01 / (1e-4 + 1.01e-3), 1e-3);
}

TEST(Sensitivity, OfOneRunOrOfAConstantIsZero) {
    EXPECT_EQ(sensitivity(std::vector<std::vector<Array>>{{floats({1})}}), 0.0);
    EXPECT_EQ(sensitivity(std::vector<std::vector<Array>>{{floats({1})}, {floats({1})}}), 0.0);
    EXPECT_EQ(sensitivity(std::vector<std::vector<Array>>{{floats({kNaN})}, {floats({1})}}), 0.0);
}

}  // namespace
}  // namespace emulsion
