#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(Add, EqualsPlainLoops) {
    test_binary("Add", [](double a, double b) { return a + b; });
}

TEST(Add, RefusalsNameTheCause) { test_binary_refusals("Add"); }

}  // namespace
}  // namespace emulsion
