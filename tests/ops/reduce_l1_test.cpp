#include <cmath>

#include <gtest/gtest.h>

#include "tests/ops/reduce_reference.h"

namespace emulsion {
namespace {

TEST(ReduceL1, EqualsPlainLoops) {
    test_reduction(
        "ReduceL1",
        {DataType::F32, DataType::F64, DataType::I32, DataType::I64, DataType::U32, DataType::U64},
        [](const std::vector<double> &values) {
            double result = 0.0;
            for (const double value : values) {
                result += std::abs(value);
            }
            return result;
        });
}

TEST(ReduceL1, RefusalsNameTheCause) { test_reduction_refusals("ReduceL1"); }

}  // namespace
}  // namespace emulsion
