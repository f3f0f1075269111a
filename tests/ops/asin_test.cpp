#include <cmath>

#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(Asin, EqualsPlainLoops) {
    test_unary({.type = "Asin",
                .types = kTestedFloats,
                .function = [](double x) { return std::asin(x); },
                .lowest = -1.0,
                .highest = 1.0});
}

TEST(Asin, RefusalNamesTheType) { test_unary_refusal("Asin", DataType::I32); }

}  // namespace
}  // namespace emulsion
