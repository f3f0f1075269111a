
#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(And, EqualsPlainLoops) {
    test_binary({.type = "And", .types = kTestedBools, .function = [](double a, double b) {
                     return a * b;
                 }});
}

TEST(And, RefusalsNameTheCause) { test_binary_refusals("And", DataType::Bool, DataType::U8); }

}  // namespace
}  // namespace emulsion
