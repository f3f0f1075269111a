#include <cmath>

#include <gtest/gtest.h>

#include "tests/ops/reduce_reference.h"

namespace emulsion {
namespace {

TEST(ReduceL2, EqualsPlainLoops) {
    test_reduction(
        "ReduceL2",
        {DataType::F32, DataType::F64, DataType::I32, DataType::I64, DataType::U32, DataType::U64},
        [](const std::vector<double> &values) {
            double result = 0.0;
            for (const double value : values) {
                result += value * value;
            }
            return std::sqrt(result);
        });
}

TEST(ReduceL2, RefusalsNameTheCause) { test_reduction_refusals("ReduceL2"); }

}  // namespace
}  // namespace emulsion
