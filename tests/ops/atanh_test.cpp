#include <cmath>

#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(Atanh, EqualsPlainLoops) {
    test_unary({.type = "Atanh",
                .types = kTestedFloats,
                .function = [](double x) { return std::atanh(x); },
                .lowest = -0.99,
                .highest = 0.99});
}

TEST(Atanh, RefusalNamesTheType) { test_unary_refusal("Atanh", DataType::I32); }

}  // namespace
}  // namespace emulsion
