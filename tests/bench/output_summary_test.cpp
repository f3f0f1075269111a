#include "bench/output_summary.h"

#include <cmath>
#include <cstring>
#include <limits>

#include <gtest/gtest.h>

namespace emulsion {
namespace {

template<typename T>
Array array_to_summarise(DataType type, const std::vector<T> &values) {
    Array array{.type = type, .shape = {static_cast<int64_t>(values.size())}, .bytes = {}};
    array.bytes.resize(values.size() * sizeof(T));
    if (!values.empty()) {
        std::memcpy(array.bytes.data(), values.data(), array.bytes.size());
    }
    return array;
}

TEST(OutputSummary, HasLeastLargestMeanAndTheFirstElements) {
    const Array array = array_to_summarise<int32_t>(DataType::I32, {3, -5, 8, 0, 1, 2, 5});
    const OutputSummary summary = summarise_output(array);
    EXPECT_EQ(summary.min, -5);
    EXPECT_EQ(summary.max, 8);
    EXPECT_EQ(summary.mean, 2);
    EXPECT_EQ(summary.first, (std::vector<double>{3, -5, 8, 0, 1}));
    EXPECT_EQ(describe_output("y", array), "y  i32 7  min -5, max 8, mean 2; 3, -5, 8, 0, 1, ...");
}

TEST(OutputSummary, CountsNaNsAndLeavesThemOut) {
    constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
    const OutputSummary some =
        summarise_output(array_to_summarise<float>(DataType::F32, {kNaN, 1.0F, 3.0F}));
    EXPECT_EQ(some.nans, 1U);
    EXPECT_EQ(some.min, 1);
    EXPECT_EQ(some.mean, 2);
    const OutputSummary all = summarise_output(array_to_summarise<float>(DataType::F32, {kNaN}));
    EXPECT_EQ(all.nans, 1U);
    EXPECT_TRUE(std::isnan(all.mean));
}

TEST(OutputSummary, SaysThatThereAreNoElements) {
    EXPECT_EQ(describe_output("y", array_to_summarise<double>(DataType::F64, {})),
              "y  f64 0  no elements");
}

}  // namespace
}  // namespace emulsion
