#include <algorithm>

#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(Or, EqualsPlainLoops) {
    test_binary({.type = "Or", .types = kTestedBools, .function = [](double a, double b) {
                     return std::max(a, b);
                 }});
}

TEST(Or, RefusalsNameTheCause) { test_binary_refusals("Or", DataType::Bool, DataType::U8); }

}  // namespace
}  // namespace emulsion
