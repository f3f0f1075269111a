#include <cmath>

#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(Sign, EqualsPlainLoops) {
    test_unary({.type = "Sign", .types = kTestedNumbers, .function = [](double x) {
                    return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : 0.0;
                }});
}

TEST(Sign, KeepsEdgeValues) {
    for (const DataType type : {DataType::F32, DataType::F64}) {
        test_values("Sign", type, {kNan, -kInfinity, kInfinity, 0.0}, {kNan, -1.0, 1.0, 0.0});
    }
}

TEST(Sign, RefusalNamesTheType) { test_unary_refusal("Sign", DataType::Bool); }

}  // namespace
}  // namespace emulsion
