#include <cmath>

#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(Cosh, EqualsPlainLoops) {
    test_unary({.type = "Cosh", .types = kTestedFloats, .function = [](double x) {
                    return std::cosh(x);
                }});
}

TEST(Cosh, RefusalNamesTheType) { test_unary_refusal("Cosh", DataType::I32); }

}  // namespace
}  // namespace emulsion
