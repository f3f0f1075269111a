#include <cmath>

#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(Reciprocal, EqualsPlainLoops) {
    test_unary({.type = "Reciprocal",
                .types = kTestedFloats,
                .function = [](double x) { return 1.0 / x; },
                .lowest = 0.5,
                .highest = 9.0});
}

TEST(Reciprocal, KeepsEdgeValues) {
    for (const DataType type : {DataType::F32, DataType::F64}) {
        test_values("Reciprocal", type, {kNan, kInfinity, 0.0, -0.0, 4.0},
                    {kNan, 0.0, kInfinity, -kInfinity, 0.25});
    }
}

TEST(Reciprocal, RefusalNamesTheType) { test_unary_refusal("Reciprocal", DataType::I32); }

}  // namespace
}  // namespace emulsion
