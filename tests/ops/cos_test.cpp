#include <cmath>

#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(Cos, EqualsPlainLoops) {
    test_unary({.type = "Cos",
                .types = kTestedFloats,
                .function = [](double x) { return std::cos(x); },
                .lowest = -20.0,
                .highest = 20.0});
}

TEST(Cos, OfSpecialValues) {
    test_values(
        "Cos", DataType::F32, {0.0, kInfinity, -kInfinity, kNan, 1e-42, 1e38},
        {std::cos(0.0), kNan, kNan, kNan, std::cos(1e-42), std::cos(static_cast<double>(1e38F))});
}

TEST(Cos, RefusalNamesTheType) { test_unary_refusal("Cos", DataType::I32); }

}  // namespace
}  // namespace emulsion
