#include <cmath>

#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(Round, EqualsPlainLoops) {
    test_unary({.type = "Round", .types = kTestedFloats, .function = [](double x) {
                    return std::nearbyint(x);
                }});
}

TEST(Round, KeepsEdgeValues) {
    for (const DataType type : {DataType::F32, DataType::F64}) {
        test_values("Round", type, {0.5, 1.5, 2.5, -0.5, -1.5, 16777216.0, kInfinity},
                    {0.0, 2.0, 2.0, 0.0, -2.0, 16777216.0, kInfinity});
    }
}

TEST(Round, RefusalNamesTheType) { test_unary_refusal("Round", DataType::I32); }

}  // namespace
}  // namespace emulsion
