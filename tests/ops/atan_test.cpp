#include <cmath>

#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(Atan, EqualsPlainLoops) {
    test_unary({.type = "Atan", .types = kTestedFloats, .function = [](double x) {
                    return std::atan(x);
                }});
}

TEST(Atan, RefusalNamesTheType) { test_unary_refusal("Atan", DataType::I32); }

}  // namespace
}  // namespace emulsion
