#include <algorithm>

#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(Min, EqualsPlainLoops) {
    test_variadic("Min", kTestedNumbers, [](const std::vector<double> &x) {
        return *std::min_element(x.begin(), x.end());
    });
}

TEST(Min, NanWins) {
    for (const DataType type : {DataType::F32, DataType::F64}) {
        test_pairs("Min", type, {kNan, 1.0, kNan, kInfinity, -kInfinity},
                   {1.0, kNan, kNan, 1.0, 1.0}, {kNan, kNan, kNan, 1.0, -kInfinity});
    }
}

TEST(Min, RefusalNamesTheType) { test_unary_refusal("Min", DataType::Bool); }

}  // namespace
}  // namespace emulsion
