#include <algorithm>

#include <gtest/gtest.h>

#include "tests/ops/reduce_reference.h"

namespace emulsion {
namespace {

TEST(ReduceMax, EqualsPlainLoops) {
    test_reduction("ReduceMax",
                   {DataType::F32, DataType::F64, DataType::I8, DataType::I32, DataType::I64,
                    DataType::U8, DataType::U32, DataType::U64, DataType::Bool},
                   [](const std::vector<double> &values) {
                       return *std::max_element(values.begin(), values.end());
                   });
}

TEST(ReduceMax, RefusalsNameTheCause) { test_reduction_refusals("ReduceMax"); }

}  // namespace
}  // namespace emulsion
