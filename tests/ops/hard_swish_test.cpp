#include <algorithm>

#include <gtest/gtest.h>

#include "tests/ops/elementwise_reference.h"

namespace emulsion {
namespace {

TEST(HardSwish, EqualsPlainLoops) {
    test_unary({.type = "HardSwish", .types = kTestedFloats, .function = [](double x) {
                    return x * std::clamp(x / 6.0 + 0.5, 0.0, 1.0);
                }});
}

TEST(HardSwish, RefusalNamesTheType) { test_unary_refusal("HardSwish", DataType::I32); }

}  // namespace
}  // namespace emulsion
