#include <cmath>

#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(Asinh, EqualsPlainLoops) {
    test_unary({.type = "Asinh",
                .types = kTestedFloats,
                .function = [](double x) { return std::asinh(x); },
                .lowest = -9.0,
                .highest = 9.0});
}

TEST(Asinh, RefusalNamesTheType) { test_unary_refusal("Asinh", DataType::I32); }

}  // namespace
}  // namespace emulsion
