#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(Mul, EqualsPlainLoops) {
    test_binary("Mul", [](double a, double b) { return a * b; });
}

TEST(Mul, RefusalsNameTheCause) { test_binary_refusals("Mul"); }

}  // namespace
}  // namespace emulsion
