#include <numeric>

#include <gtest/gtest.h>

#include "tests/ops/reduce_reference.h"

namespace emulsion {
namespace {

TEST(ReduceSum, EqualsPlainLoops) {
    test_reduction(
        "ReduceSum",
        {DataType::F32, DataType::F64, DataType::I32, DataType::I64, DataType::U32, DataType::U64},
        [](const std::vector<double> &values) {
            return std::accumulate(values.begin(), values.end(), 0.0);
        });
}

TEST(ReduceSum, RefusalsNameTheCause) { test_reduction_refusals("ReduceSum"); }

}  // namespace
}  // namespace emulsion
