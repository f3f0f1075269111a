#include <numeric>

#include <gtest/gtest.h>

#include "tests/ops/reduce_reference.h"

namespace emulsion {
namespace {

TEST(ReduceMean, EqualsPlainLoops) {
    test_reduction(
        "ReduceMean",
        {DataType::F32, DataType::F64, DataType::I32, DataType::I64, DataType::U32, DataType::U64},
        [](const std::vector<double> &values) {
            const double sum = std::accumulate(values.begin(), values.end(), 0.0);
            return sum / static_cast<double>(values.size());
        });
}

TEST(ReduceMean, RefusalsNameTheCause) { test_reduction_refusals("ReduceMean"); }

}  // namespace
}  // namespace emulsion
