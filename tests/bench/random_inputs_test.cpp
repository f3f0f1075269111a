#include "bench/random_inputs.h"

#include <cstring>

#include <gtest/gtest.h>

#include "bench/random_array.h"

namespace emulsion {
namespace {

Tensor tensor_of(const std::string &name, int64_t columns) {
    Tensor tensor;
    tensor.name = name;
    tensor.type = DataType::F32;
    tensor.shape = {Dim(2), Dim(columns)};
    return tensor;
}

TEST(RandomInputs, AreRandomArraysEachMadeOnce) {
    RandomInputs inputs(7);
    const Tensor x = tensor_of("x", 5);
    const ConstantData data = inputs.of(x, {});
    const Array array = random_array(DataType::F32, x.extents(), 7, "x");
    ASSERT_EQ(array.bytes.size(), data.size);
    EXPECT_EQ(0, std::memcmp(array.bytes.data(), data.bytes, data.size));
    EXPECT_EQ(data.bytes, inputs.of(x, {}).bytes);
}

TEST(RandomInputs, OfOtherNamesExtentsAndBoundsAreOthers) {
    RandomInputs inputs(7);
    const ConstantData data = inputs.of(tensor_of("x", 5), {});
    const Array others[] = {
        random_array(DataType::F32, std::vector<int64_t>{2, 5}, 7, "y"),
        random_array(DataType::F32, std::vector<int64_t>{2, 6}, 7, "x"),
        random_array(DataType::F32, std::vector<int64_t>{2, 5}, 7, "x", {.low = 0, .high = 3})};
    const ConstantData found[] = {inputs.of(tensor_of("y", 5), {}),
                                  inputs.of(tensor_of("x", 6), {}),
                                  inputs.of(tensor_of("x", 5), {.low = 0, .high = 3})};
    for (size_t i = 0; i < std::size(found); i++) {
        EXPECT_NE(data.bytes, found[i].bytes);
        ASSERT_EQ(others[i].bytes.size(), found[i].size);
        EXPECT_EQ(0, std::memcmp(others[i].bytes.data(), found[i].bytes, found[i].size));
    }
}

}  // namespace
}  // namespace emulsion
