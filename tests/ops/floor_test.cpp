#include <cmath>

#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(Floor, EqualsPlainLoops) {
    test_unary({.type = "Floor", .types = kTestedFloats, .function = [](double x) {
                    return std::floor(x);
                }});
}

TEST(Floor, RefusalNamesTheType) { test_unary_refusal("Floor", DataType::I32); }

}  // namespace
}  // namespace emulsion
