#include <cmath>

#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(Acosh, EqualsPlainLoops) {
    test_unary({.type = "Acosh",
                .types = kTestedFloats,
                .function = [](double x) { return std::acosh(x); },
                .lowest = 1.0,
                .highest = 9.0});
}

TEST(Acosh, RefusalNamesTheType) { test_unary_refusal("Acosh", DataType::I32); }

}  // namespace
}  // namespace emulsion
