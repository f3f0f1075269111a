#include <cmath>

#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(Erf, EqualsPlainLoops) {
    test_unary(
        {.type = "Erf", .types = kTestedFloats, .function = [](double x) { return std::erf(x); }});
}

TEST(Erf, KeepsEdgeValues) {
    for (const DataType type : {DataType::F32, DataType::F64}) {
        test_values("Erf", type, {kNan, kInfinity, -kInfinity, 0.0}, {kNan, 1.0, -1.0, 0.0});
    }
}

TEST(Erf, OfIntegersIsRoundedTowardsZero) {
    test_values("Erf", DataType::I32, {-100.0, -1.0, 0.0, 1.0, 100.0}, {-1.0, 0.0, 0.0, 0.0, 1.0});
}

TEST(Erf, RefusalNamesTheType) { test_unary_refusal("Erf", DataType::Bool); }

}  // namespace
}  // namespace emulsion
