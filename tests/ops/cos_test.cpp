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

TEST(Cos, RefusalNamesTheType) { test_unary_refusal("Cos", DataType::I32); }

}  // namespace
}  // namespace emulsion
