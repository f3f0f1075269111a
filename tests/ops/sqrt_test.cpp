#include <cmath>

#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(Sqrt, EqualsPlainLoops) {
    test_unary({.type = "Sqrt",
                .types = kTestedFloats,
                .function = [](double x) { return std::sqrt(x); },
                .lowest = 0.0,
                .highest = 9.0});
}

TEST(Sqrt, RefusalNamesTheType) { test_unary_refusal("Sqrt", DataType::I32); }

}  // namespace
}  // namespace emulsion
