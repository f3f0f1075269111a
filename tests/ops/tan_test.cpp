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

TEST(Tan, RefusalNamesTheType) { test_unary_refusal("Tan", DataType::I32); }

}  // namespace
}  // namespace emulsion
