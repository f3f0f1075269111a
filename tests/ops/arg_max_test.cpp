#include <gtest/gtest.h>

#include "tests/ops/arg_reference.h"

namespace emulsion {
namespace {

TEST(ArgMax, EqualsPlainLoops) {
    test_arg("ArgMax", [](double a, double b) { return a > b; });
}

TEST(ArgMax, RefusalsNameTheCause) { test_arg_refusals("ArgMax"); }

}  // namespace
}  // namespace emulsion
