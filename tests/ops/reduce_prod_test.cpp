#include <cmath>

#include <gtest/gtest.h>

#include "tests/ops/reduce_reference.h"

namespace emulsion {
namespace {

TEST(ReduceProd, EqualsPlainLoops) {
    test_reduction(
        "ReduceProd",
        {DataType::F32, DataType::F64, DataType::I32, DataType::I64, DataType::U32, DataType::U64},
        [](const std::vector<double> &values) {
            double result = 1.0;
            for (const double value : values) {
                result *= value;
            }
            return result;
        },
        // Products stay near 1.
        [](double value) { return value == std::trunc(value) ? 1.0 : 1.0 + value / 64.0; });
}

TEST(ReduceProd, MultipliesIntegers) {
    OperatorCase test("ReduceProd");
    test.input(TestTensor({2, 3}, DataType::I32, {2, -3, 5, 7, 1, 11}));
    test.constant(TestTensor({1}, DataType::I64, {1}));
    test.attribute("keepdims", int64_t{0});
    test.expect(TestTensor({2}, DataType::I32, {-30, 77}));
}

TEST(ReduceProd, RefusalsNameTheCause) { test_reduction_refusals("ReduceProd"); }

}  // namespace
}  // namespace emulsion
