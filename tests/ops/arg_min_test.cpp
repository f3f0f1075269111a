#include <gtest/gtest.h>

#include "tests/ops/arg_reference.h"

namespace emulsion {
namespace {

TEST(ArgMin, EqualsPlainLoops) {
    test_arg("ArgMin", [](double a, double b) { return a < b; });
}

TEST(ArgMin, RefusalsNameTheCause) { test_arg_refusals("ArgMin"); }

}  // namespace
}  // namespace emulsion
