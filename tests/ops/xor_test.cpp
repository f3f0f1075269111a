
#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(Xor, EqualsPlainLoops) {
    test_binary({.type = "Xor", .types = kTestedBools, .function = [](double a, double b) {
                     return a == b ? 0.0 : 1.0;
                 }});
}

TEST(Xor, RefusalsNameTheCause) { test_binary_refusals("Xor", DataType::Bool, DataType::U8); }

}  // namespace
}  // namespace emulsion
