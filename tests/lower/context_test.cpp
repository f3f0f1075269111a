#include "frontend/lower/context.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

namespace emulsion {
namespace {

template<typename T>
Tensor tensor_of(DataType type, std::vector<T> values) {
    std::vector<std::byte> bytes(values.size() * sizeof(T));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    Tensor tensor;
    tensor.type = type;
    tensor.constant = make_constant(std::move(bytes));
    return tensor;
}

TEST(IsNumber, SingleElementsAreNumbers) {
    EXPECT_TRUE(is_number(tensor_of<float>(DataType::F32, {0.5F})));
    EXPECT_TRUE(is_number(tensor_of<int64_t>(DataType::I64, {-7})));
    EXPECT_FALSE(is_number(tensor_of<float>(DataType::F32, {0.5F, 0.5F})));
    EXPECT_FALSE(is_number(Tensor{}));
}

// LLVM is told that there are none: of a mask, select(condition, 0, -infinity) + x, it makes x.
TEST(IsNumber, InfinitiesAndNansAreLoaded) {
    const float infinity = std::numeric_limits<float>::infinity();
    for (const float value : {infinity, -infinity, std::numeric_limits<float>::quiet_NaN()}) {
        EXPECT_FALSE(is_number(tensor_of<float>(DataType::F32, {value})));
        EXPECT_FALSE(is_number(tensor_of<double>(DataType::F64, {double{value}})));
    }
    EXPECT_TRUE(is_number(tensor_of<float>(DataType::F32, {std::numeric_limits<float>::max()})));
}

}  // namespace
}  // namespace emulsion
