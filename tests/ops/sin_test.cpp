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

TEST(Sin, RefusalNamesTheType) { test_unary_refusal("Sin", DataType::I32); }

}  // namespace
}  // namespace emulsion
