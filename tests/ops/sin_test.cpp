#include <cmath>

#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(Sin, EqualsPlainLoops) {
    test_unary({.type = "Sin",
                .types = kTestedFloats,
                .function = [](double x) { return std::sin(x); },
                .lowest = -20.0,
                .highest = 20.0});
}

TEST(Sin, OfSpecialValues) {
    test_values(
        "Sin", DataType::F32, {0.0, kInfinity, -kInfinity, kNan, 1e-42, 1e38},
        {std::sin(0.0), kNan, kNan, kNan, std::sin(1e-42), std::sin(static_cast<double>(1e38F))});
}

TEST(Sin, RefusalNamesTheType) { test_unary_refusal("Sin", DataType::I32); }

}  // namespace
}  // namespace emulsion
