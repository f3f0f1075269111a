#include <algorithm>

#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(Max, EqualsPlainLoops) {
    test_variadic("Max", kTestedNumbers, [](const std::vector<double> &x) {
        return *std::max_element(x.begin(), x.end());
    });
}

TEST(Max, NanWins) {
    for (const DataType type : {DataType::F32, DataType::F64}) {
        test_pairs("Max", type, {kNan, 1.0, kNan, kInfinity, -kInfinity},
                   {1.0, kNan, kNan, 1.0, 1.0}, {kNan, kNan, kNan, kInfinity, 1.0});
    }
}

TEST(Max, RefusalNamesTheType) { test_unary_refusal("Max", DataType::Bool); }

}  // namespace
}  // namespace emulsion
