#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "tests/ops/reduce_reference.h"

namespace emulsion {
namespace {

TEST(ReduceLogSumExp, EqualsPlainLoops) {
    test_reduction(
        "ReduceLogSumExp",
        {DataType::F32, DataType::F64, DataType::I32, DataType::I64, DataType::U32, DataType::U64},
        [](const std::vector<double> &values) {
            const double largest = *std::max_element(values.begin(), values.end());
            double sum = 0.0;
            for (const double value : values) {
                sum += std::exp(value - largest);
            }
            return largest + std::log(sum);
        });
}

TEST(ReduceLogSumExp, DoesNotOverflow) {
    const double infinity = std::numeric_limits<double>::infinity();
    OperatorCase test("ReduceLogSumExp");
    test.input(TestTensor({4, 2}, DataType::F32,
                          {1000, 1000, -1000, -1000, -infinity, -infinity, infinity, 0}));
    test.constant(TestTensor({1}, DataType::I64, {1}));
    test.attribute("keepdims", int64_t{0});
    const double two = std::log(2.0);
    test.expect(TestTensor({4}, DataType::F32, {1000.0 + two, -1000.0 + two, -infinity, infinity}));
}

TEST(ReduceLogSumExp, RefusalsNameTheCause) { test_reduction_refusals("ReduceLogSumExp"); }

}  // namespace
}  // namespace emulsion
