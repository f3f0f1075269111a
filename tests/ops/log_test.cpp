#include <cmath>

#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(Log, EqualsPlainLoops) {
    test_unary({.type = "Log",
                .types = kTestedFloats,
                .function = [](double x) { return std::log(x); },
                .lowest = 0.01,
                .highest = 9.0});
}

TEST(Log, KeepsEdgeValues) {
    for (const DataType type : {DataType::F32, DataType::F64}) {
        test_values("Log", type, {kNan, kInfinity, -kInfinity, 0.0, -1.0, 1.0},
                    {kNan, kInfinity, kNan, -kInfinity, kNan, 0.0});
    }
}

TEST(Log, RefusalNamesTheType) { test_unary_refusal("Log", DataType::I32); }

}  // namespace
}  // namespace emulsion
