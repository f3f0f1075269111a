#include <cmath>

#include <gtest/gtest.h>

#include "tests/ops/reduce_reference.h"

namespace emulsion {
namespace {

TEST(ReduceSumSquare, EqualsPlainLoops) {
    test_reduction(
        "ReduceSumSquare",
        {DataType::F32, DataType::F64, DataType::I32, DataType::I64, DataType::U32, DataType::U64},
        [](const std::vector<double> &values) {
            double result = 0.0;
            for (const double value : values) {
                result += value * value;
            }
            return result;
        });
}

TEST(ReduceSumSquare, RefusalsNameTheCause) { test_reduction_refusals("ReduceSumSquare"); }

}  // namespace
}  // namespace emulsion
