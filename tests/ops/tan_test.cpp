#include <cmath>

#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(Tan, EqualsPlainLoops) {
    test_unary({.type = "Tan",
                .types = kTestedFloats,
                .function = [](double x) { return std::tan(x); },
                .lowest = -1.5,
                .highest = 1.5});
}

TEST(Tan, OfSpecialValues) {
    test_values(
        "Tan", DataType::F32, {0.0, kInfinity, -kInfinity, kNan, 1e-42, 1e38},
        {std::tan(0.0), kNan, kNan, kNan, std::tan(1e-42), std::tan(static_cast<double>(1e38F))});
}

TEST(Tan, RefusalNamesTheType) { test_unary_refusal("Tan", DataType::I32); }

}  // namespace
}  // namespace emulsion
