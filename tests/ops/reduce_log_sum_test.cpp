#include <cmath>

#include <gtest/gtest.h>

#include "tests/ops/reduce_reference.h"

namespace emulsion {
namespace {

TEST(ReduceLogSum, EqualsPlainLoops) {
    test_reduction(
        "ReduceLogSum",
        {DataType::F32, DataType::F64, DataType::I32, DataType::I64, DataType::U32, DataType::U64},
        [](const std::vector<double> &values) {
            double result = 0.0;
            for (const double value : values) {
                result += value;
            }
            return std::log(result);
        },
        [](double value) { return std::abs(value) + 1.0; });
}

TEST(ReduceLogSum, RefusalsNameTheCause) { test_reduction_refusals("ReduceLogSum"); }

}  // namespace
}  // namespace emulsion
