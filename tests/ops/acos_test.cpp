#include <cmath>

#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(Acos, EqualsPlainLoops) {
    test_unary({.type = "Acos",
                .types = kTestedFloats,
                .function = [](double x) { return std::acos(x); },
                .lowest = -1.0,
                .highest = 1.0});
}

TEST(Acos, RefusalNamesTheType) { test_unary_refusal("Acos", DataType::I32); }

}  // namespace
}  // namespace emulsion
